package fleet.fleetctl.wait;

import fleet.fleetctl.output.ExitHook;
import java.util.concurrent.atomic.AtomicBoolean;

/** Says something when the user ends the program in the middle of a wait. */
public final class Interruption implements AutoCloseable {

  private final AtomicBoolean over = new AtomicBoolean();
  private final ExitHook hook;

  public Interruption(Runnable farewell) {
    hook =
        new ExitHook(
            "interruption",
            () -> {
              if (over.compareAndSet(false, true)) {
                farewell.run();
              }
            });
  }

  /** The wait came to its end by itself. */
  public void over() {
    over.set(true);
  }

  @Override
  public void close() {
    over();
    hook.close();
  }
}
