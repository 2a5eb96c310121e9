package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.ReportPath;
import fleet.registry.Entry;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.UnitRecord;
import fleet.scheduler.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

  private static final UnitName FIRST = UnitName.of("a.service");
  private static final UnitName ON_SSD = UnitName.of("m.service");
  private static final UnitName LAST = UnitName.of("z.service");

  private static final String ASKS_NOTHING = "[Service]\nExecStart=/bin/true\n";
  private static final String ASKS_FOR_SSD = ASKS_NOTHING + "[X-Fleet]\nMachineMetadata=disk=ssd\n";

  private final ClusterState cluster = new ClusterState();
  private final SchedulerState schedulerState = new SchedulerState(cluster, new Scheduler());
  private final WorkQueue queue = new WorkQueue(cluster, schedulerState);
  private long revision;

  @BeforeEach
  void threeUnitsRunOnAMachine() throws Exception {
    cluster.machines().present(ReportPath.DIRECT, machine("disk", "ssd"));
    queue.machineCame("m1");
    placed(FIRST, ASKS_NOTHING);
    placed(ON_SSD, ASKS_FOR_SSD);
    placed(LAST, ASKS_NOTHING);
    assertThat(whatIsLookedAt()).containsExactlyInAnyOrder(FIRST, ON_SSD, LAST);
  }

  @Test
  void withoutNewsNothingIsLookedAt() {
    assertThat(queue.isEmpty()).isTrue();
    assertThat(whatIsLookedAt()).isEmpty();
  }

  @Test
  void aSafetyPassLooksAtEachUnitOnce() {
    queue.safetyPass();
    assertThat(whatIsLookedAt()).containsExactlyInAnyOrder(FIRST, ON_SSD, LAST);
  }

  @Test
  void aSafetyPassBeginsWithWhatMayNotStayThoughNothingToldOfIt() {
    schedulerState.machine(machine("disk", "slow"));
    queue.safetyPass();
    assertThat(whatIsLookedAt()).startsWith(ON_SSD).containsExactlyInAnyOrder(FIRST, ON_SSD, LAST);
  }

  @Test
  void whatHappensMeanwhileIsLookedAtBeforeTheRestOfASafetyPass() {
    queue.safetyPass();
    queue.touch(LAST);
    assertThat(whatIsLookedAt()).startsWith(LAST).containsExactlyInAnyOrder(FIRST, ON_SSD, LAST);
  }

  private List<UnitName> whatIsLookedAt() {
    List<UnitName> all = new ArrayList<>();
    for (Optional<UnitName> next = queue.next(); next.isPresent(); next = queue.next()) {
      all.add(next.get());
    }
    return all;
  }

  private static Machine machine(String key, String value) {
    return new Machine(
        "m1", "boot", "10.0.0.1", Map.of(key, value), "test", Isolation.KEEP, Resources.UNKNOWN);
  }

  private void placed(UnitName unit, String text) throws Exception {
    UnitFile file = UnitFile.parse(text);
    var incarnation = new Incarnation("i-" + unit);
    Instant now = Instant.EPOCH;
    put(Keys.file(file.sha256()), new FileRecord(file.render()).json());
    put(
        Keys.unit(unit),
        new UnitRecord(
                incarnation, file.sha256(), file.hash(), DesiredState.LAUNCHED, 1, "test", now)
            .json());
    put(Keys.placement(unit), new PlacementRecord("m1", incarnation, now, "").json());
    put(
        Keys.schedule("m1", unit),
        new ScheduleRecord(incarnation, file.sha256(), file.hash(), TargetState.LAUNCHED, 1)
            .json());
    queue.scheduleChanged(unit, "m1");
  }

  private void put(String key, String value) {
    revision++;
    var _ = cluster.written(new Entry(key, value, revision, revision));
  }
}
