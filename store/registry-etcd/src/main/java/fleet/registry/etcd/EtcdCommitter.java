package fleet.registry.etcd;

import fleet.registry.CommitQueue;
import fleet.registry.LeaseEndedException;
import fleet.registry.Outcome;
import fleet.registry.OutcomeUnknownException;
import fleet.registry.RegistryException;
import fleet.registry.Threads;
import fleet.registry.Transaction;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes, one request at a time; commits that wait meanwhile share the next.
 *
 * <p>How lost answers are told apart: a commit that changes something also writes the number of its
 * request into a slot, a key of this writer alone, in the same nested transaction. After a lost
 * answer {@link Fence#settle} makes sure that the request is not carried out any more, and the
 * slots tell which of its commits were. The others changed nothing, and can be sent again.
 */
final class EtcdCommitter implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EtcdCommitter.class);

  private final CommitQueue<PendingEtcdCommit> waiting;
  private final EtcdClient connection;
  private final KeySpace keys;
  private final Store store;
  private final String writer;
  private final Fence fence;

  /** Tells this handle from an earlier or later one of the same name. */
  private final String incarnation = UUID.randomUUID().toString();

  private final Thread thread;
  private long requests;

  /** The initial state: a killed writer of this name may have left a request in flight. */
  private boolean inDoubt = true;

  EtcdCommitter(EtcdClient connection, KeySpace keys, Store store) {
    this.connection = connection;
    this.keys = keys;
    this.store = store;
    this.waiting = new CommitQueue<>(connection.faults()::closed);
    this.writer = connection.options().writer();
    this.fence = new Fence(connection, keys, store, writer);
    this.thread = Thread.ofVirtual().name("registry-writer").start(this::run);
  }

  /** Waits for all of them; throws what the first failed one met. */
  List<Outcome> commit(List<Transaction> transactions) {
    long deadline = connection.nanoTime() + connection.options().patience().toNanos();
    List<PendingEtcdCommit> commits =
        transactions.stream().map(one -> PendingEtcdCommit.of(one, keys, deadline)).toList();
    return waiting.commit(commits);
  }

  private void run() {
    boolean goesOn = true;
    while (goesOn) {
      goesOn = carryOutNext();
    }
  }

  /** A method of its own, so that an idle writer does not hold on to its last commits. */
  private boolean carryOutNext() {
    List<PendingEtcdCommit> batch = take();
    carryOut(batch);
    return !batch.isEmpty();
  }

  /** Waits for commits; none when closed and all are done. */
  private List<PendingEtcdCommit> take() {
    EtcdBatch batch = new EtcdBatch();
    waiting.take(batch::add);
    return batch.commits();
  }

  private void carryOut(List<PendingEtcdCommit> batch) {
    List<PendingEtcdCommit> left = batch;
    try {
      while (!left.isEmpty()) {
        left = attempt(left);
      }
    } catch (RuntimeException | Error e) {
      log.error("registry: a commit met a fault in fleet itself", e);
      inDoubt = true;
      RegistryException why = new OutcomeUnknownException("commit failed: " + e, e);
      batch.forEach(commit -> commit.fail(why));
    }
  }

  /** Sends once; returns those to send again. */
  private List<PendingEtcdCommit> attempt(List<PendingEtcdCommit> commits) {
    CommitRequest request;
    try {
      if (inDoubt) {
        fence.settle();
        inDoubt = false;
      }
      request =
          new CommitRequest(
              commits, keys, store, writer, fence.revision(), incarnation + "/" + requests++);
    } catch (EtcdFault e) {
      // Nothing of these commits has been sent.
      return switch (e.kind()) {
        case NOT_SENT, UNKNOWN -> again(commits, e);
        case ANOTHER_STORE -> lost(commits, store.exceptionOf(e));
        case REFUSED, FULL, LEASE_ENDED, COMPACTED, FUTURE -> refuse(commits, e);
      };
    }
    try {
      TxnResponse response = connection.send(request::send);
      TxnResponse guarded = CommitRequest.guarded(response);
      if (!guarded.isSucceeded()) {
        return notLetIn(commits, guarded.getGetResponses());
      }
      request.answered(response);
      return List.of();
    } catch (EtcdFault e) {
      return failed(request, e);
    }
  }

  /** The fence has moved, or this is another store. */
  private List<PendingEtcdCommit> notLetIn(
      List<PendingEtcdCommit> commits, List<GetResponse> found) {
    if (!store.isCalled(StoreId.first(found.getLast().getKvs()))) {
      return lost(commits, store.renamed());
    }
    fence.stands(found.getFirst().getKvs());
    return commits;
  }

  private static List<PendingEtcdCommit> lost(
      List<PendingEtcdCommit> commits, RegistryException why) {
    commits.forEach(commit -> commit.fail(why));
    return List.of();
  }

  private List<PendingEtcdCommit> failed(CommitRequest request, EtcdFault fault) {
    return switch (fault.kind()) {
      case NOT_SENT -> again(request.commits(), fault);
      case UNKNOWN -> settle(request, fault);
      case FULL -> full(request, fault);
      case LEASE_ENDED -> leaseEnded(request.commits(), fault);
      case ANOTHER_STORE -> lost(request.commits(), store.exceptionOf(fault));
      case REFUSED, COMPACTED, FUTURE -> refuse(request.commits(), fault);
    };
  }

  /** After a pause; those whose time is over fail. */
  private List<PendingEtcdCommit> again(List<PendingEtcdCommit> commits, EtcdFault fault) {
    connection.pause();
    return inTime(commits, fault);
  }

  private List<PendingEtcdCommit> inTime(List<PendingEtcdCommit> commits, EtcdFault fault) {
    long now = connection.nanoTime();
    commits.stream()
        .filter(commit -> commit.deadline() - now <= 0)
        .forEach(commit -> commit.fail(nothingWritten(fault)));
    return commits.stream().filter(commit -> commit.deadline() - now > 0).toList();
  }

  /** etcd does nothing of a request that puts with a lease it does not have. */
  private List<PendingEtcdCommit> leaseEnded(List<PendingEtcdCommit> commits, EtcdFault fault) {
    refuse(commits.stream().filter(PendingEtcdCommit::leases).toList(), fault);
    return commits.stream().filter(commit -> !commit.leases()).toList();
  }

  /** Commits that were refused together are tried one by one: only some of them may be at fault. */
  private List<PendingEtcdCommit> refuse(List<PendingEtcdCommit> commits, EtcdFault fault) {
    if (commits.size() == 1) {
      commits.getFirst().fail(nothingWritten(fault));
    } else {
      commits.forEach(commit -> carryOut(List.of(commit)));
    }
    return List.of();
  }

  private RegistryException nothingWritten(EtcdFault fault) {
    String what = "nothing written: " + fault.getMessage();
    return fault.kind() == EtcdFault.Kind.LEASE_ENDED
        ? new LeaseEndedException(what, fault)
        : new RegistryException(what, fault);
  }

  private List<PendingEtcdCommit> full(CommitRequest request, EtcdFault fault) {
    try {
      return refuse(request.recognised(fence.look()), fault);
    } catch (EtcdFault e) {
      return settle(request, e);
    }
  }

  private List<PendingEtcdCommit> settle(CommitRequest request, EtcdFault fault) {
    inDoubt = true;
    long deadline = connection.nanoTime() + connection.options().patience().toNanos();
    while (connection.nanoTime() < deadline) {
      try {
        List<KeyValue> slots = fence.settle();
        inDoubt = false;
        return inTime(request.recognised(slots), fault);
      } catch (EtcdFault e) {
        if (e.kind() == EtcdFault.Kind.ANOTHER_STORE) {
          return lost(request.commits(), store.exceptionOf(e));
        }
        connection.pause();
      }
    }
    OutcomeUnknownException why =
        new OutcomeUnknownException(
            fault.getMessage() + "; whether the commit was written is not known", fault);
    request.commits().forEach(commit -> commit.fail(why));
    return List.of();
  }

  /** Finishes what has been asked for, then ends. */
  @Override
  public void close() {
    waiting.close();
    Threads.join(thread);
  }
}
