package fleet.fleetd;

/** A problem of this fleetd that comes and goes, for people. Safe for use by many threads. */
abstract class StatusProblem {

  private final Object telling = new Object();
  private volatile Runnable work = () -> {};

  /** Runs something whenever it changes, one run at a time, on another thread. */
  void onChange(Runnable changed) {
    work = changed;
  }

  /** It has changed. Returns at once, as systemd may be slow to take what it is told. */
  final void changed() {
    Thread.ofVirtual()
        .name("status-problem")
        .start(() -> {
          synchronized (telling) {
            work.run();
          }
        });
  }
}
