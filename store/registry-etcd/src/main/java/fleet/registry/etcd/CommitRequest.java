package fleet.registry.etcd;

import fleet.registry.Outcome;
import fleet.registry.Transaction.Condition;
import fleet.registry.Transaction.Write;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * One request of several commits, each in a nested transaction of its own, so that one refusal
 * hurts no other.
 *
 * @param fence the revision at which the writer's fence must stand for any of it to happen
 * @param tag what each commit that changes something leaves in its slot
 */
record CommitRequest(
    List<PendingEtcdCommit> commits,
    KeySpace keys,
    Store store,
    String writer,
    long fence,
    String tag) {

  private static final Op[] NOTHING = {};

  CompletableFuture<TxnResponse> send(KV kv) {
    ByteSequence fenceKey = keys.fence(writer);
    Op[] nested = new Op[commits.size()];
    for (int place = 0; place < nested.length; place++) {
      nested[place] = nested(commits.get(place), slot(place));
    }
    Op guarded =
        Op.txn(
            new Cmp[] {
              new Cmp(fenceKey, Cmp.Op.EQUAL, CmpTarget.modRevision(fence)), store.unchanged()
            },
            nested,
            new Op[] {
              Op.get(fenceKey, GetOption.DEFAULT), Op.get(keys.storeId(), GetOption.DEFAULT)
            });
    return kv.txn()
        .If(new Cmp(fenceKey, Cmp.Op.LESS, CmpTarget.createRevision(0)))
        .Then(neverDone())
        .Else(guarded)
        .commit();
  }

  /**
   * For its quota etcd counts only the puts of a request's outermost level, and lets others pass.
   * So a request with puts has one there that never happens.
   */
  private Op[] neverDone() {
    return commits.stream().anyMatch(PendingEtcdCommit::puts) ? new Op[] {slot(0)} : NOTHING;
  }

  /** The answer to what the fence guards. */
  static TxnResponse guarded(TxnResponse response) {
    return response.getTxnResponses().getFirst();
  }

  private Op slot(int place) {
    return Op.put(keys.slot(writer, place), KeySpace.value(tag), PutOption.DEFAULT);
  }

  private Op nested(PendingEtcdCommit commit, Op slot) {
    return Op.txn(
        commit.conditions().stream().map(this::compare).toArray(Cmp[]::new),
        writes(commit, slot),
        commit.conditions().stream().map(this::look).toArray(Op[]::new));
  }

  private Cmp compare(Condition condition) {
    ByteSequence key = keys.key(condition.key());
    return switch (condition) {
      case Condition.Absent absent -> new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0));
      case Condition.Unmodified it ->
          new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(it.modified()));
      case Condition.CreatedAt it ->
          new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(it.created()));
    };
  }

  /** To tell afterwards which condition did not hold. */
  private Op look(Condition condition) {
    return Op.get(keys.key(condition.key()), GetOption.builder().withKeysOnly(true).build());
  }

  /** The note is left only if something changes, since it would raise the revision. */
  private Op[] writes(PendingEtcdCommit commit, Op slot) {
    if (!commit.writes()) {
      return NOTHING;
    }
    List<Write> writes = commit.transaction().writes();
    Op[] all = Stream.concat(writes.stream().map(this::write), Stream.of(slot)).toArray(Op[]::new);
    if (commit.puts()) {
      return all;
    }
    Cmp[] allGone =
        writes.stream()
            .map(write -> compare(new Condition.Absent(write.key())))
            .toArray(Cmp[]::new);
    return new Op[] {Op.txn(allGone, NOTHING, all)};
  }

  private Op write(Write write) {
    ByteSequence key = keys.key(write.key());
    return switch (write) {
      case Write.Put put -> Op.put(key, KeySpace.value(put.value()), option(put));
      case Write.Delete delete -> Op.delete(key, DeleteOption.DEFAULT);
    };
  }

  private static PutOption option(Write.Put put) {
    return put.lease() == 0
        ? PutOption.DEFAULT
        : PutOption.builder().withLeaseId(put.lease()).build();
  }

  /** Completes each commit, after an answer that passed the fence. */
  void answered(TxnResponse response) {
    long revision = response.getHeader().getRevision();
    for (int place = 0; place < commits.size(); place++) {
      PendingEtcdCommit commit = commits.get(place);
      TxnResponse own = guarded(response).getTxnResponses().get(place);
      commit
          .outcome()
          .complete(
              own.isSucceeded()
                  ? new Outcome.Committed(revision)
                  : new Outcome.Refused(revision, broken(commit, own)));
    }
  }

  private static Condition broken(PendingEtcdCommit commit, TxnResponse refused) {
    List<Condition> conditions = commit.conditions();
    for (int i = 0; i < conditions.size(); i++) {
      GetResponse found = refused.getGetResponses().get(i);
      if (!holds(conditions.get(i), found.getKvs().stream().findFirst())) {
        return conditions.get(i);
      }
    }
    throw new IllegalStateException("etcd refused a commit whose conditions all hold");
  }

  private static boolean holds(Condition condition, Optional<KeyValue> found) {
    return switch (condition) {
      case Condition.Absent absent -> found.isEmpty();
      case Condition.Unmodified it ->
          found.filter(kv -> kv.getModRevision() == it.modified()).isPresent();
      case Condition.CreatedAt it ->
          found.filter(kv -> kv.getCreateRevision() == it.created()).isPresent();
    };
  }

  /**
   * Completes the commits that left their note.
   *
   * @return the others: they changed nothing
   */
  List<PendingEtcdCommit> recognised(List<KeyValue> slots) {
    List<PendingEtcdCommit> others = new ArrayList<>();
    for (int place = 0; place < commits.size(); place++) {
      ByteSequence slot = keys.slot(writer, place);
      Optional<KeyValue> note =
          slots.stream()
              .filter(kv -> kv.getKey().equals(slot))
              .filter(kv -> KeySpace.text(kv.getValue()).equals(tag))
              .findFirst();
      PendingEtcdCommit commit = commits.get(place);
      note.ifPresentOrElse(
          kv -> commit.outcome().complete(new Outcome.Committed(kv.getModRevision())),
          () -> others.add(commit));
    }
    return others;
  }
}
