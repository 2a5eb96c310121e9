package fleet.registry.etcd;

/** Waiting for a thread to end, also where the one who waits has been interrupted. */
final class Threads {

  private Threads() {}

  static void join(Thread thread) {
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
