package fleet.cluster.rpc;

import fleet.cluster.ClusterUnavailableException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A streamed answer: who writes it waits while the reader does not take what is on its way, and is
 * interrupted when the reader goes.
 */
final class Outlet<A> {

  private final ServerCallStreamObserver<A> observer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private Runnable onCancel = () -> {};
  private boolean cancelled;

  /** What writes the answer. */
  interface Work<A> {
    void write(Outlet<A> out) throws Exception;
  }

  private Outlet(ServerCallStreamObserver<A> observer) {
    this.observer = observer;
  }

  /** Has the answer written on a thread of its own; to be called by the one that took the call. */
  static <A> void write(String name, ServerCallStreamObserver<A> observer, Work<A> work) {
    Outlet<A> out = new Outlet<>(observer);
    observer.setOnReadyHandler(out::signal);
    Thread writer = Thread.ofVirtual().name(name).unstarted(() -> out.run(work));
    observer.setOnCancelHandler(() -> out.cancel(writer));
    writer.start();
  }

  private void run(Work<A> work) {
    try {
      work.write(this);
      observer.onCompleted();
    } catch (CancellationException | InterruptedException e) {
      observer.onError(Said.of(new ClusterUnavailableException("ended early")));
    } catch (Exception e) {
      observer.onError(Said.of(e));
    }
  }

  /**
   * Sends once there is room.
   *
   * @throws CancellationException where nobody reads any more
   */
  void send(A message) throws InterruptedException {
    lock.lock();
    try {
      while (!cancelled && !observer.isReady()) {
        changed.await();
      }
      if (cancelled) {
        throw new CancellationException();
      }
    } finally {
      lock.unlock();
    }
    observer.onNext(message);
  }

  /** To be done when the reader goes; at once where it has. */
  void onCancel(Runnable action) {
    lock.lock();
    try {
      onCancel = action;
      if (!cancelled) {
        return;
      }
    } finally {
      lock.unlock();
    }
    action.run();
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void cancel(Thread writer) {
    Runnable action;
    lock.lock();
    try {
      cancelled = true;
      action = onCancel;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    action.run();
    writer.interrupt();
  }
}
