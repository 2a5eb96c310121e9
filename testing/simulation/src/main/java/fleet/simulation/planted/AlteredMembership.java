package fleet.simulation.planted;

import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Wraps an agent's coordination, and changes what a planted bug changes. */
abstract class AlteredMembership implements AgentCoordination {

  private final AgentCoordination real;
  private final AtomicReference<Session> session = new AtomicReference<>();

  AlteredMembership(AgentCoordination real) {
    this.real = real;
  }

  /** The entry that the agent hears instead. */
  ScheduleEntry heard(ScheduleEntry entry) {
    return entry;
  }

  /** Whether the agent hears of changes. */
  boolean hears(Collection<ScheduleEntry> changed) {
    return true;
  }

  /** Whether the cluster hears of reports. */
  boolean tells(List<AgentReport> reports) {
    return true;
  }

  /** The agent has begun to follow. */
  void began(ScheduleFollower follower) {}

  /** Tells the cluster something, once the machine has joined. */
  final void say(AgentReport report) {
    Session joined = session.get();
    if (joined != null) {
      joined.report(List.of(report));
    }
  }

  @Override
  public Session join(Machine machine, ScheduleFollower follower, Answerer answerer) {
    Session joined = real.join(machine, new Heard(follower), answerer);
    session.set(joined);
    began(follower);
    return new Session() {
      @Override
      public void report(List<AgentReport> reports) {
        if (tells(reports)) {
          joined.report(reports);
        }
      }

      @Override
      public void present(Machine changed) {
        joined.present(changed);
      }

      @Override
      public void leave(boolean emptied) {
        joined.leave(emptied);
      }

      @Override
      public void moveOn() {
        joined.moveOn();
      }

      @Override
      public void close() {
        joined.close();
      }
    };
  }

  private final class Heard implements ScheduleFollower {
    private final ScheduleFollower follower;

    Heard(ScheduleFollower follower) {
      this.follower = follower;
    }

    @Override
    public void snapshot(Machine seen, Collection<ScheduleEntry> entries, Set<UnitName> alone) {
      follower.snapshot(seen, entries.stream().map(AlteredMembership.this::heard).toList(), alone);
    }

    @Override
    public void acknowledged(Duration ago) {
      follower.acknowledged(ago);
    }

    @Override
    public void delta(
        Collection<ScheduleEntry> changed, Set<UnitName> removed, Set<UnitName> alone) {
      if (hears(changed)) {
        follower.delta(
            changed.stream().map(AlteredMembership.this::heard).toList(), removed, alone);
      }
    }

    @Override
    public void occupied() {
      follower.occupied();
    }
  }
}
