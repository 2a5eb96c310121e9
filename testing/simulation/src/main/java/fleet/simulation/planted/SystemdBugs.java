package fleet.simulation.planted;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.simulation.Wiring;
import fleet.simulation.run.SimulatedProcess;
import fleet.systemd.JobResult;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** Bugs of how systemd is used: starts that are made twice, or never, or at the wrong time. */
final class SystemdBugs {

  private static final double NOW_AND_THEN = 0.05;
  private static final Duration LOOK = Duration.ofSeconds(5);

  private SystemdBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        asks("a start is told as made and is not", NotStarted::new),
        asks("a start is made twice", StartedTwice::new),
        asks("a restart leaves what runs", NotRestarted::new),
        asks("a stop is told as done before it is", StoppedAtOnce::new),
        asks("a stop is told as done and is not", NotStopped::new),
        asks("what has ended is started again", KeptRunning::new),
        asks("the first state of a unit is taken for its last", Frozen::new));
  }

  private static PlantedBug asks(String text, BiFunction<Systemd, SimulatedProcess, Systemd> made) {
    return new PlantedBug(
        text,
        process ->
            new Wiring() {
              @Override
              public Systemd systemd(Systemd systemd) {
                return made.apply(systemd, process);
              }
            });
  }

  private static final class NotStarted extends AlteredSystemd {
    private final SimulatedProcess process;

    NotStarted(Systemd real, SimulatedProcess process) {
      super(real);
      this.process = process;
    }

    @Override
    public CompletableFuture<JobResult> start(UnitName unit) {
      return process.simulation().chance(NOW_AND_THEN) ? DONE : super.start(unit);
    }
  }

  private static final class StartedTwice extends AlteredSystemd {
    private final SimulatedProcess process;

    StartedTwice(Systemd real, SimulatedProcess process) {
      super(real);
      this.process = process;
    }

    @Override
    public CompletableFuture<JobResult> start(UnitName unit) {
      CompletableFuture<JobResult> first = super.start(unit);
      return process.simulation().chance(NOW_AND_THEN) ? super.restart(unit) : first;
    }
  }

  private static final class NotRestarted extends AlteredSystemd {
    NotRestarted(Systemd real, SimulatedProcess process) {
      super(real);
    }

    @Override
    public CompletableFuture<JobResult> restart(UnitName unit) {
      return super.states(List.of(unit)).values().stream().anyMatch(SystemdState::isActive)
          ? DONE
          : super.start(unit);
    }
  }

  private static final class StoppedAtOnce extends AlteredSystemd {
    StoppedAtOnce(Systemd real, SimulatedProcess process) {
      super(real);
    }

    @Override
    public CompletableFuture<JobResult> stop(UnitName unit) {
      CompletableFuture<JobResult> _ = super.stop(unit);
      return DONE;
    }

    @Override
    public Map<UnitName, SystemdState> states(Collection<UnitName> units) {
      Map<UnitName, SystemdState> states = super.states(units);
      states.replaceAll(
          (_, state) -> state.active().equals("deactivating") ? SystemdState.DEAD : state);
      return states;
    }
  }

  private static final class NotStopped extends AlteredSystemd {
    private final SimulatedProcess process;

    NotStopped(Systemd real, SimulatedProcess process) {
      super(real);
      this.process = process;
    }

    @Override
    public CompletableFuture<JobResult> stop(UnitName unit) {
      return process.simulation().chance(NOW_AND_THEN) ? DONE : super.stop(unit);
    }
  }

  /** Takes every end for one that nobody wanted. */
  private static final class KeptRunning extends AlteredSystemd {
    private final SimulatedProcess process;
    private final Set<UnitName> followed = new TreeSet<>();

    KeptRunning(Systemd real, SimulatedProcess process) {
      super(real);
      this.process = process;
      later();
    }

    private void later() {
      process.after(LOOK, () -> process.spawn("keeping units running", this::look));
    }

    @Override
    public void follow(Collection<UnitName> units) {
      followed.addAll(units);
      super.follow(units);
    }

    @Override
    public void unfollow(Collection<UnitName> units) {
      followed.removeAll(units);
      super.unfollow(units);
    }

    private void look() {
      try {
        super.states(List.copyOf(followed))
            .forEach((unit, state) -> {
              if (state.active().equals("inactive")
                  && !state.invocation().isEmpty()
                  && process.simulation().chance(NOW_AND_THEN)) {
                CompletableFuture<JobResult> _ = super.start(unit);
              }
            });
      } catch (SystemdException away) {
        process.simulation().remark("nothing is kept running: " + away.getMessage());
      }
      later();
    }
  }

  private static final class Frozen extends AlteredSystemd {
    private final Map<UnitName, SystemdState> first = new TreeMap<>();

    Frozen(Systemd real, SimulatedProcess process) {
      super(real);
    }

    @Override
    public Map<UnitName, SystemdState> states(Collection<UnitName> units) {
      Map<UnitName, SystemdState> states = super.states(units);
      states.forEach(first::putIfAbsent);
      states.replaceAll((unit, _) -> first.get(unit));
      return states;
    }
  }
}
