package fleet.fleetctl.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Does the same for many units over a few connections. */
public final class Parallel {

  private static final int THREADS = 8;
  private static final int WORTHWHILE = 4;

  private Parallel() {}

  /** A call for one of them. */
  public interface Call<A, B, E extends Exception> {
    B make(A argument) throws E;
  }

  private sealed interface Outcome<B> {
    record Done<B>(B result) implements Outcome<B> {}

    record Refused<B>(Exception why) implements Outcome<B> {}

    record Broken<B>(RuntimeException why) implements Outcome<B> {}
  }

  /**
   * Makes all calls, also if one fails.
   *
   * @return the results in the order of the arguments
   * @throws E the first one in that order
   */
  public static <A, B, E extends Exception> List<B> map(List<A> arguments, Call<A, B, E> call)
      throws E {
    List<Optional<Outcome<B>>> outcomes = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      outcomes.add(Optional.empty());
    }
    AtomicInteger next = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    if (arguments.size() >= WORTHWHILE) {
      for (int i = 1; i < THREADS; i++) {
        threads.add(
            Thread.ofPlatform().daemon().start(() -> work(arguments, call, next, outcomes)));
      }
    }
    work(arguments, call, next, outcomes);
    for (Thread thread : threads) {
      join(thread);
    }
    return results(outcomes);
  }

  private static <A, B> void work(
      List<A> arguments,
      Call<A, B, ?> call,
      AtomicInteger next,
      List<Optional<Outcome<B>>> outcomes) {
    for (int i = next.getAndIncrement(); i < arguments.size(); i = next.getAndIncrement()) {
      Outcome<B> outcome = outcome(arguments.get(i), call);
      synchronized (outcomes) {
        outcomes.set(i, Optional.of(outcome));
      }
    }
  }

  private static <A, B> Outcome<B> outcome(A argument, Call<A, B, ?> call) {
    try {
      return new Outcome.Done<>(call.make(argument));
    } catch (RuntimeException e) {
      return new Outcome.Broken<>(e);
    } catch (Exception e) {
      return new Outcome.Refused<>(e);
    }
  }

  @SuppressWarnings("unchecked") // A call throws nothing else.
  private static <B, E extends Exception> List<B> results(List<Optional<Outcome<B>>> outcomes)
      throws E {
    List<B> results = new ArrayList<>();
    for (Optional<Outcome<B>> outcome : outcomes) {
      switch (outcome.orElseThrow()) {
        case Outcome.Done<B> done -> results.add(done.result());
        case Outcome.Refused<B> refused -> throw (E) refused.why();
        case Outcome.Broken<B> broken -> throw broken.why();
      }
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
