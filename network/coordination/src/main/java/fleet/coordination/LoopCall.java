package fleet.coordination;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Work of {@link EventLoop#call}, which another thread waits for. */
public final class LoopCall<T> extends FutureTask<T> {

  public LoopCall(Callable<T> work) {
    super(work);
  }

  /** An {@link Error} is no answer: it is the loop's as well. */
  @Override
  protected void setException(Throwable fault) {
    super.setException(fault);
    if (fault instanceof Error error) {
      throw error;
    }
  }

  /**
   * Waits until the loop has done it.
   *
   * @throws IllegalStateException if the loop has stopped before, or this thread is interrupted
   * @throws RuntimeException what the work threw
   */
  public T await() {
    try {
      return get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (CancellationException e) {
      throw new IllegalStateException("stopped", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
