package fleet.fleetctl.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

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
    if (tasks.size() < WORTHWHILE) {
      tasks.forEach(FutureTask::run);
    } else {
      try (var threads =
          Executors.newFixedThreadPool(THREADS, Thread.ofPlatform().daemon().factory())) {
        tasks.forEach(threads::execute);
      }
    }
    return results(tasks);
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
}
