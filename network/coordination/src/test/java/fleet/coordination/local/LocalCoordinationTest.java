package fleet.coordination.local;

import fleet.coordination.AgentCoordination;
import fleet.coordination.CoordinationContract;
import fleet.coordination.EngineCoordination;
import fleet.coordination.Leadership;
import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

class LocalCoordinationTest extends CoordinationContract {

  private final LocalCoordination coordination = new LocalCoordination();
  private final Map<String, Map<UnitName, ScheduleEntry>> schedules = new HashMap<>();

  @Override
  protected AgentCoordination agents() {
    return coordination;
  }

  @Override
  protected EngineCoordination questions() {
    return coordination;
  }

  private Map<UnitName, ScheduleEntry> scheduleOf(String machine) {
    return schedules.computeIfAbsent(machine, _ -> new HashMap<>());
  }

  /** As an engine, it hands each machine that comes its whole schedule. */
  @Override
  protected void lead(EngineCoordination.Listener listener) {
    coordination.lead(
        Leadership.Term.ALONE,
        new EngineCoordination.Listener() {
          @Override
          public void present(Machine machine) {
            listener.present(machine);
            coordination.snapshot(machine, scheduleOf(machine.id()).values(), Set.of());
          }

          @Override
          public void reported(String machine, List<AgentReport> reports) {
            listener.reported(machine, reports);
          }

          @Override
          public void bid(String machine, Bid bid) {
            listener.bid(machine, bid);
          }

          @Override
          public void absent(String machine, String why) {
            listener.absent(machine, why);
          }
        });
  }

  @Override
  protected void schedule(String machine, ScheduleEntry entry) {
    scheduleOf(machine).put(entry.unit(), entry);
    coordination.delta(machine, List.of(entry), Set.of(), Set.of());
  }

  @Override
  protected void unschedule(String machine, UnitName unit) {
    scheduleOf(machine).remove(unit);
    coordination.delta(machine, List.of(), Set.of(unit), Set.of());
  }
}
