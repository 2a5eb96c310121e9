package fleet.fleetctl.output;

import java.util.concurrent.TimeUnit;

/**
 * Sees to it that a program ended by Ctrl-C in the middle of its output ends it with a whole line.
 * A terminal that takes nothing is not waited for.
 */
public final class CleanEnd implements AutoCloseable {

  private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(1);

  private final Output output;
  private final Thread hook;

  public CleanEnd(Output output) {
    this.output = output;
    hook = Thread.ofPlatform().name("clean-end").unstarted(this::end);
    ExitHooks.add(hook);
  }

  private void end() {
    try {
      Thread.ofPlatform().daemon().start(output::end).join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    boolean _ = ExitHooks.remove(hook);
  }
}
