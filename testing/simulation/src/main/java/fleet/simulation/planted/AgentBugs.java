package fleet.simulation.planted;

import fleet.agent.isolation.IsolationGuard;
import fleet.coordination.AgentCoordination;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.simulation.Wiring;
import fleet.simulation.run.SimulatedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * Bugs of agents: what they take from the cluster, what they say, and when they stop by themselves.
 */
final class AgentBugs {

  private static final double SELDOM = 0.03;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LATE = Duration.ofSeconds(8);

  private AgentBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        hears("an agent is not told of changes", DeafToChanges::new),
        hears("a restart never comes to the agent", DeafToRestarts::new),
        hears("each change has a unit started again", Restarted::new),
        hears("a unit is said to be gone before it has stopped", GoneAtOnce::new),
        hears("reports get lost", Silent::new),
        hears("a machine that is cut off takes itself for acknowledged", Acknowledged::new),
        hears("entries of an earlier time come again", Repeated::new),
        guards("units of a machine that is cut off run on", DeadGuard::new),
        guards("units of a machine that is cut off are stopped too late", LateGuard::new),
        new PlantedBug(
            "all boots of a machine look the same",
            process ->
                new Wiring() {
                  @Override
                  public Machine machine(Machine machine) {
                    return new Machine(
                        machine.id(),
                        machine.id() + "-boot-1",
                        machine.publicIp(),
                        machine.metadata(),
                        machine.version(),
                        machine.isolation(),
                        machine.total());
                  }
                }));
  }

  private static PlantedBug hears(
      String text, BiFunction<AgentCoordination, SimulatedProcess, AgentCoordination> made) {
    return new PlantedBug(
        text,
        process ->
            new Wiring() {
              @Override
              public AgentCoordination agent(AgentCoordination coordination) {
                return made.apply(coordination, process);
              }
            });
  }

  private static final class DeafToChanges extends AlteredMembership {
    private final SimulatedProcess process;

    DeafToChanges(AgentCoordination real, SimulatedProcess process) {
      super(real);
      this.process = process;
    }

    @Override
    boolean hears(Collection<ScheduleEntry> changed) {
      return !process.simulation().chance(SELDOM);
    }
  }

  private static ScheduleEntry withCounter(ScheduleEntry entry, long counter) {
    return new ScheduleEntry(
        entry.unit(),
        entry.incarnation(),
        entry.file(),
        entry.target(),
        counter,
        entry.global(),
        entry.revision(),
        entry.overcommit(),
        entry.require());
  }

  private static final class DeafToRestarts extends AlteredMembership {
    DeafToRestarts(AgentCoordination real, SimulatedProcess process) {
      super(real);
    }

    @Override
    ScheduleEntry heard(ScheduleEntry entry) {
      return withCounter(entry, Math.min(entry.restartCounter(), 1));
    }
  }

  private static final class Restarted extends AlteredMembership {
    private long times;

    Restarted(AgentCoordination real, SimulatedProcess process) {
      super(real);
    }

    @Override
    ScheduleEntry heard(ScheduleEntry entry) {
      return withCounter(entry, entry.restartCounter() + times++);
    }
  }

  private static final class GoneAtOnce extends AlteredMembership {
    GoneAtOnce(AgentCoordination real, SimulatedProcess process) {
      super(real);
    }

    @Override
    ScheduleEntry heard(ScheduleEntry entry) {
      if (entry.target() == TargetState.STOPPING) {
        say(new AgentReport.Gone(entry.unit(), entry.incarnation(), entry.revision()));
      }
      return entry;
    }
  }

  private static final class Silent extends AlteredMembership {
    private final SimulatedProcess process;

    Silent(AgentCoordination real, SimulatedProcess process) {
      super(real);
      this.process = process;
    }

    @Override
    boolean tells(List<AgentReport> reports) {
      return !process.simulation().chance(SELDOM);
    }
  }

  private static final class Acknowledged extends AlteredMembership {
    private final SimulatedProcess process;

    Acknowledged(AgentCoordination real, SimulatedProcess process) {
      super(real);
      this.process = process;
    }

    @Override
    void began(ScheduleFollower follower) {
      process.after(
          SECOND,
          () -> {
            follower.acknowledged(Duration.ZERO);
            began(follower);
          });
    }
  }

  /** As if a message had been held up on the way. */
  private static final class Repeated extends AlteredMembership {
    private final SimulatedProcess process;
    private final Map<UnitName, ScheduleEntry> last = new HashMap<>();

    Repeated(AgentCoordination real, SimulatedProcess process) {
      super(real);
      this.process = process;
    }

    @Override
    ScheduleEntry heard(ScheduleEntry entry) {
      ScheduleEntry before = last.put(entry.unit(), entry);
      return before != null && process.simulation().chance(SELDOM) ? before : entry;
    }
  }

  private static PlantedBug guards(String text, UnaryOperator<IsolationGuard> made) {
    return new PlantedBug(
        text,
        process ->
            new Wiring() {
              @Override
              public IsolationGuard guard(IsolationGuard guard) {
                return made.apply(guard);
              }
            });
  }

  private static class DeadGuard implements IsolationGuard {
    private final IsolationGuard real;

    DeadGuard(IsolationGuard real) {
      this.real = real;
    }

    @Override
    public void arm(Duration stop, Duration kill) throws IOException {
      // Nobody sees to it.
    }

    @Override
    public final boolean hasStopped() {
      return real.hasStopped();
    }

    @Override
    public final Set<UnitName> takeStopped() throws IOException {
      return real.takeStopped();
    }

    @Override
    public final void forgetStopped() throws IOException {
      real.forgetStopped();
    }

    @Override
    public final void disarm() throws IOException {
      real.disarm();
    }
  }

  private static final class LateGuard extends DeadGuard {
    private final IsolationGuard real;

    LateGuard(IsolationGuard real) {
      super(real);
      this.real = real;
    }

    @Override
    public void arm(Duration stop, Duration kill) throws IOException {
      real.arm(stop.plus(LATE), kill.plus(LATE));
    }
  }
}
