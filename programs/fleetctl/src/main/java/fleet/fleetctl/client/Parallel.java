package fleet.fleetctl.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the same call for many units over a few connections. */
public final class Parallel {

  private static final int THREADS = 8;
  private static final int WORTHWHILE = 4;

  private Parallel() {}

  /** A call for one of them. */
  public interface Call<A, B, E extends Exception> {
    B make(A argument) throws E;
  }

  /**
   * Makes all calls, also if one fails.
   *
   * @return the results in the order of the arguments
   * @throws E the first one in that order
   */
  public static <A, B, E extends Exception> List<B> map(List<A> arguments, Call<A, B, E> call)
      throws E {
    List<FutureTask<B>> tasks = new ArrayList<>();
    for (A argument : arguments) {
      tasks.add(new FutureTask<>(() -> call.make(argument)));
    }
    AtomicInteger next = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    if (arguments.size() >= WORTHWHILE) {
      for (int i = 1; i < THREADS; i++) {
        threads.add(Thread.ofPlatform().daemon().start(() -> work(tasks, next)));
      }
    }
    work(tasks, next);
    for (Thread thread : threads) {
      join(thread);
    }
    return results(tasks);
  }

  private static void work(List<? extends Runnable> tasks, AtomicInteger next) {
    for (int i = next.getAndIncrement(); i < tasks.size(); i = next.getAndIncrement()) {
      tasks.get(i).run();
    }
  }

  @SuppressWarnings("unchecked") // A call throws nothing else.
  private static <B, E extends Exception> List<B> results(List<FutureTask<B>> tasks) throws E {
    List<B> results = new ArrayList<>();
    for (FutureTask<B> task : tasks) {
      if (task.state() == FutureTask.State.FAILED) {
        throw (E) task.exceptionNow();
      }
      results.add(task.resultNow());
    }
    return results;
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
