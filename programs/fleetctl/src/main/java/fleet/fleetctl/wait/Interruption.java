package fleet.fleetctl.wait;

import fleet.fleetctl.output.ExitHooks;
import java.util.concurrent.atomic.AtomicBoolean;

/** Says something when the user ends the program in the middle of a wait. */
public final class Interruption implements AutoCloseable {

  private final AtomicBoolean over = new AtomicBoolean();
  private final Thread hook;

  public Interruption(Runnable farewell) {
    hook =
        Thread.ofPlatform()
            .name("interruption")
            .unstarted(() -> {
              if (over.compareAndSet(false, true)) {
                farewell.run();
              }
            });
    ExitHooks.add(hook);
  }

  /** The wait came to its end by itself. */
  public void over() {
    over.set(true);
  }

  @Override
  public void close() {
    over();
    boolean _ = ExitHooks.remove(hook);
  }
}
