package fleet.testkit;

import java.time.Duration;

/**
 * The only limit of tests on machines. A dozen machines share two processors there, and a busy host
 * takes ten times as long as an idle one; so it is far longer than all that ends.
 */
public final class Hangs {

  /** After that time a command or a condition is given up. */
  public static final Duration AFTER = Duration.ofMinutes(10);

  private Hangs() {}
}
