package fleet.registry.etcd;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Commits that may share one request.
 *
 * <p>etcd judges all conditions of a request by what was before it, nested ones too. So no commit
 * may write what another one reads or writes: then any order of them gives the same, and it is as
 * if they came one after the other.
 */
final class EtcdBatch {

  /** etcd takes 128 on all levels of a request together; one of them is the fence. */
  private static final int OPERATIONS = 127;

  /** etcd takes 1.5 MiB; a commit that is larger alone is sent alone, for etcd to judge. */
  private static final long BYTES = 1 << 20;

  private final List<PendingEtcdCommit> commits = new ArrayList<>();
  private final Set<String> conditioned = new HashSet<>();
  private final Set<String> written = new HashSet<>();
  private long bytes;
  private int operations;

  /** Takes the commit in, unless it must wait for the next request. */
  boolean add(PendingEtcdCommit commit) {
    if (!commits.isEmpty() && !fits(commit)) {
      return false;
    }
    commits.add(commit);
    conditioned.addAll(commit.conditioned());
    written.addAll(commit.written());
    bytes += commit.bytes();
    operations = Math.max(operations, commit.operations());
    return true;
  }

  private boolean fits(PendingEtcdCommit commit) {
    return commits.size() + 1 + Math.max(operations, commit.operations()) <= OPERATIONS
        && bytes + commit.bytes() <= BYTES
        && Collections.disjoint(written, commit.written())
        && Collections.disjoint(written, commit.conditioned())
        && Collections.disjoint(conditioned, commit.written());
  }

  List<PendingEtcdCommit> commits() {
    return commits;
  }
}
