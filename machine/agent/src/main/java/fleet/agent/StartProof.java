package fleet.agent;

import fleet.core.state.SystemdState;
import java.time.Duration;

/**
 * Waits until a plain service has run for a moment. systemd reports it as active once it has forked
 * a process; the program may not even exist. With {@code Restart=} it becomes active repeatedly
 * before systemd gives up: each run must last for that moment. Owned by the agent's event thread.
 */
final class StartProof {

  /** A service that fails at once does so within this time. */
  static final Duration TIME = Duration.ofMillis(300);

  /**
   * How long a service may keep failing and restarting: more than the 10 s in which systemd counts
   * starts by default, so that its start limit comes first.
   */
  static final Duration PATIENCE = Duration.ofSeconds(15);

  private final BackgroundWork work;
  private final StartEnd end;

  StartProof(BackgroundWork work, StartEnd end) {
    this.work = work;
    this.end = end;
  }

  /**
   * systemd's job of a start is done.
   *
   * @param start as {@link LocalUnit#awaitEnd} gave it
   */
  void await(LocalUnit unit, Object start) {
    await(unit, start, work.nanoTime());
  }

  private void await(LocalUnit unit, Object start, long since) {
    String invocation = unit.systemd().invocation();
    work.after(TIME, () -> look(unit, start, since, invocation));
  }

  private void look(LocalUnit unit, Object start, long since, String invocation) {
    SystemdState state = unit.systemd();
    if (!unit.awaitsEndOf(start)) {
      return;
    }
    if (!isStartedAgain(state, invocation)) {
      end.ended(unit, start, afterRestarts(state));
    } else if (work.nanoTime() - since >= PATIENCE.toNanos()) {
      end.ended(unit, start, "it ends at once, and systemd starts it again by its Restart=");
    } else {
      await(unit, start, since);
    }
  }

  /** Whether systemd is restarting it by itself, or has done so since that invocation. */
  private static boolean isStartedAgain(SystemdState state, String invocation) {
    return state.sub().startsWith("auto-restart")
        || (state.restarts() > 0 && state.isActive() && !state.invocation().equals(invocation));
  }

  private static String afterRestarts(SystemdState state) {
    return state.isFailed() && state.restarts() > 0
        ? "result %s, and systemd makes no more automatic restarts (StartLimitBurst=)"
            .formatted(state.result())
        : "";
  }
}
