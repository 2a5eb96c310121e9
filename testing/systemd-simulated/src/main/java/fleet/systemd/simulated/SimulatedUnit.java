package fleet.systemd.simulated;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One unit as systemd runs it: its state, and the job that is to change it. */
final class SimulatedUnit {

  private final SimulationContext surroundings;
  private final UnitName name;
  private final boolean oneshot;
  private final Supplier<UnitFortunes> source;
  private final Runnable onChange;
  private final List<Consumer<JobResult>> waiting = new ArrayList<>();
  private SystemdState state = SystemdState.DEAD;
  private @Nullable Job job;
  private int life;
  private boolean off;
  private boolean endedByItself;
  private boolean endedWell;
  private UnitFortunes fortunes = UnitFortunes.FAIR;

  private enum Job {
    START,
    STOP,
    RESTART
  }

  SimulatedUnit(
      SimulationContext surroundings,
      UnitName name,
      boolean oneshot,
      Supplier<UnitFortunes> source,
      Runnable onChange) {
    this.surroundings = surroundings;
    this.name = name;
    this.oneshot = oneshot;
    this.source = source;
    this.onChange = onChange;
  }

  SystemdState state() {
    return state;
  }

  boolean hasProcess() {
    return state.isActive() || state.isChanging();
  }

  /** Whether its last run ended without anybody asking for that. */
  boolean endedByItself() {
    return endedByItself;
  }

  /** Whether it also did what it was there for, and has not been touched since. */
  boolean endedWell() {
    return endedWell;
  }

  boolean isIdle() {
    return !hasProcess() && job == null;
  }

  /** The machine is off: nothing follows any more. */
  void off() {
    off = true;
  }

  void resetFailed() {
    if (state.isFailed()) {
      become("inactive", "dead", "success");
    }
  }

  // ---- jobs

  void start(Consumer<JobResult> end) {
    if (job == Job.START || job == Job.RESTART) {
      waiting.add(end);
    } else if (state.isActive() && job == null) {
      end.accept(new JobResult("done"));
    } else {
      replaceJob(Job.START, end);
      if (!hasProcess()) {
        begin();
      }
    }
  }

  void restart(Consumer<JobResult> end) {
    replaceJob(Job.RESTART, end);
    if (!hasProcess()) {
      begin();
    } else if (!state.active().equals("deactivating")) {
      terminate();
    }
  }

  void stop(Consumer<JobResult> end) {
    if (job == Job.STOP) {
      waiting.add(end);
      return;
    }
    replaceJob(Job.STOP, end);
    if (!hasProcess()) {
      endJob("done");
    } else if (!state.active().equals("deactivating")) {
      terminate();
    }
  }

  private void replaceJob(Job other, Consumer<JobResult> end) {
    endJob("canceled");
    job = other;
    waiting.add(end);
  }

  private void endJob(String result) {
    job = null;
    List<Consumer<JobResult>> told = List.copyOf(waiting);
    waiting.clear();
    told.forEach(waiter -> waiter.accept(new JobResult(result)));
  }

  // ---- the process

  private void begin() {
    endedByItself = false;
    endedWell = false;
    fortunes = source.get();
    state =
        new SystemdState(
            "loaded",
            "activating",
            "start",
            "success",
            "%032x".formatted(surroundings.random().nextLong() & Long.MAX_VALUE),
            0,
            surroundings.instant());
    changed();
    soon(fortunes.slowestStart().multipliedBy(oneshot ? 3 : 1), this::begun);
  }

  private void begun() {
    boolean failed = surroundings.chance(fortunes.startFails());
    endedByItself = failed || oneshot;
    endedWell = oneshot && !failed;
    if (failed) {
      become("failed", "failed", "exit-code");
    } else if (oneshot) {
      become("inactive", "dead", "success");
    } else {
      become("active", "running", "success");
      if (surroundings.chance(fortunes.endsLater())) {
        soon(Duration.ofSeconds(60), this::endByItself);
      }
    }
    endJob(failed ? "failed" : "done");
  }

  private void endByItself() {
    endedByItself = true;
    endedWell = !surroundings.random().nextBoolean();
    if (!endedWell) {
      become("failed", "failed", "exit-code");
    } else {
      become("inactive", "dead", "success");
    }
  }

  private void terminate() {
    life++;
    become("deactivating", "stop-sigterm", "success");
    soon(fortunes.slowestStop(), this::terminated);
  }

  /** Its processes die at once. */
  void kill() {
    if (hasProcess()) {
      life++;
      ended("failed", "failed", "signal");
    }
  }

  private void terminated() {
    ended("inactive", "dead", "success");
  }

  private void ended(String active, String sub, String result) {
    become(active, sub, result);
    if (job == Job.STOP) {
      endJob("done");
    } else if (job != null) {
      begin();
    }
  }

  /** The next thing to happen to this process, unless something else comes before. */
  private void soon(Duration most, Runnable next) {
    int current = ++life;
    surroundings.after(
        surroundings.upTo(most),
        () -> {
          if (life == current && !off) {
            next.run();
          }
        });
  }

  private void become(String active, String sub, String result) {
    Instant since = surroundings.instant();
    state =
        new SystemdState(
            state.load(), active, sub, result, state.invocation(), state.restarts(), since);
    changed();
  }

  private void changed() {
    onChange.run();
  }

  @Override
  public String toString() {
    return name + " " + state.active() + "/" + state.sub();
  }
}
