package fleet.registry;

/** Waits for threads to end, also if the waiting thread is interrupted. */
public final class Threads {

  private Threads() {}

  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
