package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Standing;
import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.UnitView;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import fleet.engine.decide.StormBrake;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import fleet.registry.records.PauseRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many machines vanish at once. */
class StormTest {

  private static final UnitName OTHER = UnitName.of("other.service");
  private static final Duration TTL = Duration.ofHours(1);
  private static final EngineSettings SETTINGS =
      EngineSettings.of(TTL).with(changed -> changed.isolationMargin = Duration.ofMillis(1));

  @TempDir Path directory;
  private LedCluster fleet;
  private final Map<String, StoredMachine> machines = new TreeMap<>();

  @BeforeEach
  void sixMachinesWithAUnitEach() throws Exception {
    fleet = new LedCluster(directory, SETTINGS);
    for (int i = 1; i <= 6; i++) {
      String id = "m" + i;
      machines.put(id, fleet.stored(id));
      fleet.launch(unit(id));
      machine(id).running(machine(id).awaitTarget(unit(id), TargetState.LAUNCHED));
    }
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  @Test
  void theirUnitsStayUntilSomebodySaysGoOn() throws Exception {
    Map<String, Entry> before = entries();
    try (EventStream events = fleet.cluster().follow(EventsFrom.NOW)) {
      storm();
      assertThat(fleet.cluster().absences().pause().orElseThrow())
          .satisfies(pause -> assertThat(pause.vanished()).isEqualTo(3))
          .satisfies(pause -> assertThat(pause.of()).isEqualTo(6));
      assertThat(fleet.cluster().absences().machines())
          .containsExactly(held("m1"), held("m2"), held("m3"));
      assertThat(fleet.awaitView(unit("m1"), view -> !view.waiting().isEmpty()).waiting())
          .contains("machine m1 is lost")
          .contains("3 of 6 machines vanished at once")
          .contains("fleetctl resume");
      launchesElsewhere();
      assertThat(entries()).isEqualTo(before);
      assertThat(fleet.cluster().resume(LedCluster.CALLER)).isTrue();
      var _ = fleet.awaitAbsences(absences -> absences.machines().isEmpty());
      assertThat(fleet.cluster().absences().pause()).isEmpty();
      assertThat(fleet.cluster().resume(LedCluster.CALLER)).isFalse();
      assertThat(told(events))
          .satisfiesExactly(
              paused -> assertThat(paused.kind()).isEqualTo(Kind.RESCHEDULING_PAUSED),
              resumed ->
                  assertThat(resumed)
                      .isEqualTo(
                          new Event.Body(
                              Kind.RESCHEDULING_RESUMED,
                              Subject.NONE,
                              new Cause("user test", "user test asked for it"))));
    }
    assertThat(fleet.registry.get(Keys.schedule("m1", unit("m1")))).isEmpty();
    awaitNoPauseKey();
  }

  @Test
  void aUnitThatStaysWithALostMachineSaysWithWhichAlsoOnceItIsToStop() throws Exception {
    storm();
    UnitView kept = fleet.awaitView(unit("m1"), view -> view.keptOn().isPresent());
    assertThat(kept.keptOn()).contains("m1");
    assertThat(kept.machine()).isEmpty();
    desire(unit("m1"), DesiredState.LOADED);
    desire(unit("m2"), DesiredState.INACTIVE);
    assertThat(fleet.awaitView(unit("m1"), view -> isDesired(view, DesiredState.LOADED)).keptOn())
        .contains("m1");
    assertThat(fleet.awaitView(unit("m2"), view -> isDesired(view, DesiredState.INACTIVE)).keptOn())
        .contains("m2");
    assertThat(fleet.cluster().resume(LedCluster.CALLER)).isTrue();
    var _ = fleet.awaitView(unit("m1"), view -> view.keptOn().isEmpty());
    var _ = fleet.awaitView(unit("m2"), view -> view.keptOn().isEmpty());
  }

  private void desire(UnitName unit, DesiredState state) {
    var _ = fleet.cluster().put(unit, Optional.empty(), Optional.of(state), LedCluster.CALLER);
  }

  private static boolean isDesired(UnitView view, DesiredState state) {
    return view.unit().desired() == state;
  }

  @Test
  void itGoesOnAfterASetTime() throws Exception {
    fleet.anotherLeads(
        EngineSettings.of(Duration.ofMillis(1))
            .with(changed ->
                changed.storm = new StormBrake.Settings(20, 3, TTL, Duration.ofMillis(300))));
    try (EventStream events = fleet.cluster().follow(EventsFrom.NOW)) {
      silent("m1", "m2", "m3");
      assertThat(told(events))
          .last()
          .extracting(Event.Body::cause)
          .satisfies(cause -> {
            assertThat(cause.by()).isEmpty();
            // As soon as all units have another place nothing is left of the pause.
            assertThat(cause.why()).isIn("nobody asked for it in time", "the pause is over");
          });
    }
    var _ = fleet.awaitAbsences(absences -> absences.machines().isEmpty());
    assertThat(fleet.registry.get(Keys.schedule("m1", unit("m1")))).isEmpty();
    awaitNoPauseKey();
  }

  @Test
  void whoComesBackKeepsItsUnitsAndTheLastEndsThePause() throws Exception {
    Map<String, Entry> before = entries();
    storm();
    fleet.stored("m1");
    var _ = fleet.awaitAbsences(a -> a.machines().equals(List.of(held("m2"), held("m3"))));
    assertThat(fleet.cluster().absences().pause()).isPresent();
    fleet.stored("m2");
    fleet.stored("m3");
    awaitNoPauseKey();
    assertThat(fleet.cluster().absences().machines()).isEmpty();
    launchesElsewhere();
    assertThat(entries()).isEqualTo(before);
    silent("m1");
    var _ =
        fleet.awaitView(
            unit("m1"), view -> view.machine().filter(on -> !on.equals("m1")).isPresent());
  }

  @Test
  void aMachineThatVanishesDuringThePauseIsHeldAsWell() throws Exception {
    storm();
    silent("m4");
    var _ = fleet.awaitAbsences(absences -> absences.machines().contains(held("m4")));
  }

  @Test
  void theNextLeaderKnows() throws Exception {
    Map<String, Entry> before = entries();
    storm();
    fleet.anotherLeads(SETTINGS);
    var _ =
        fleet.awaitAbsences(a -> a.machines().equals(List.of(held("m1"), held("m2"), held("m3"))));
    launchesElsewhere();
    assertThat(entries()).isEqualTo(before);
    assertThat(fleet.cluster().resume(LedCluster.CALLER)).isTrue();
    var _ = fleet.awaitAbsences(absences -> absences.machines().isEmpty());
    awaitNoPauseKey();
  }

  @Test
  void theNextLeaderDoesNotPauseForWhatSomebodyHasDecided() throws Exception {
    UnitName pinned = UnitName.of("pinned.service");
    fleet.launch(pinned, "[X-Fleet]\nMachineID=m1\n");
    machine("m1").awaitTarget(pinned, TargetState.LAUNCHED);
    storm();
    fleet.cluster().resume(LedCluster.CALLER);
    var stuck = List.of(new Absent("m1", 1, Standing.LOST, Optional.empty()));
    var _ = fleet.awaitAbsences(absences -> absences.machines().equals(stuck));
    fleet.anotherLeads(SETTINGS);
    var _ = fleet.awaitAbsences(absences -> absences.machines().equals(stuck));
    assertThat(PauseRecord.of(fleet.registry.get(Keys.PAUSE).orElseThrow()).endedBy())
        .isEqualTo("user test");
    fleet.stored("m1");
    awaitNoPauseKey();
  }

  @Test
  void machinesThatVanishWithTheLeaderCountOnceTheNextHasWaitedForThem() throws Exception {
    Map<String, Entry> before = entries();
    fleet.leaderDies();
    silent("m1", "m2", "m3");
    fleet.anotherLeads(SETTINGS);
    var _ = fleet.store.await("a pause", entries -> entries.containsKey(Keys.PAUSE));
    var _ =
        fleet.awaitAbsences(a -> a.machines().equals(List.of(held("m1"), held("m2"), held("m3"))));
    launchesElsewhere();
    assertThat(entries()).isEqualTo(before);
  }

  @Test
  void machinesThatLeaveInOrderAreNoStorm() throws Exception {
    for (String id : List.of("m1", "m2", "m3", "m4")) {
      String key = Keys.machine(id);
      MachineRecord record = MachineRecord.of(fleet.registry.get(key).orElseThrow());
      var _ = fleet.registry.commit(Transaction.when().put(key, record.asLeaving().json()).build());
    }
    silent("m1", "m2", "m3", "m4");
    var _ =
        fleet.awaitView(
            unit("m1"), view -> view.machine().filter(on -> !on.equals("m1")).isPresent());
    assertThat(fleet.registry.get(Keys.PAUSE)).isEmpty();
  }

  @Test
  void oneMachineIsNoStorm() throws Exception {
    silent("m1");
    var _ =
        fleet.awaitView(
            unit("m1"), view -> view.machine().filter(on -> !on.equals("m1")).isPresent());
    assertThat(fleet.registry.get(Keys.PAUSE)).isEmpty();
  }

  @Test
  void whoDoesNotLeadSaysItAsWellAndCanEndIt() throws Exception {
    storm();
    try (CurrentCluster follower = fleet.follower()) {
      var _ =
          LedCluster.awaitAbsences(
              follower, a -> a.machines().equals(List.of(held("m1"), held("m2"), held("m3"))));
      assertThat(follower.unit(unit("m2")).orElseThrow().waiting())
          .contains("machine m2 is lost")
          .contains("fleetctl resume");
      assertThat(follower.resume(LedCluster.CALLER)).isTrue();
    }
    var _ = fleet.awaitAbsences(absences -> absences.machines().isEmpty());
  }

  @Test
  void whatIsDestroyedMeanwhileKeepsItsNameUntilItsMachineIsBackOrGivenUp() throws Exception {
    storm();
    fleet.cluster().destroy(unit("m1"), LedCluster.CALLER);
    machine("m1").awaitTarget(unit("m1"), TargetState.STOPPING);
    fleet.cluster().resume(LedCluster.CALLER);
    machine("m1").awaitNothingOf(unit("m1"));
  }

  // ---- parts

  private static UnitName unit(String machine) {
    return UnitName.of("on-" + machine + ".service");
  }

  private StoredMachine machine(String id) {
    return Objects.requireNonNull(machines.get(id));
  }

  private static Absent held(String machine) {
    return new Absent(machine, 1, Standing.HELD, Optional.empty());
  }

  private void silent(String... gone) {
    fleet.silent(gone);
  }

  private void storm() throws Exception {
    silent("m1", "m2", "m3");
    var _ = fleet.store.await("a pause", entries -> entries.containsKey(Keys.PAUSE));
    var _ = fleet.awaitAbsences(absences -> absences.pause().isPresent());
  }

  /** Shows as well that the engine has come so far. */
  private void launchesElsewhere() throws Exception {
    fleet.launch(OTHER);
    var _ = fleet.awaitView(OTHER, view -> view.machine().isPresent());
  }

  /** The schedule's entries of the units that were there from the start. */
  private Map<String, Entry> entries() {
    Map<String, Entry> entries = new TreeMap<>();
    for (Entry entry : fleet.registry.read(Keys.SCHEDULES).entries()) {
      if (!entry.key().endsWith(OTHER.value())) {
        entries.put(entry.key(), entry);
      }
    }
    return entries;
  }

  private void awaitNoPauseKey() throws Exception {
    var _ = fleet.store.await("no pause", entries -> !entries.containsKey(Keys.PAUSE));
  }

  /** Events about rescheduling, until it resumes. */
  private static List<Event.Body> told(EventStream events) throws InterruptedException {
    List<Event.Body> told = new ArrayList<>();
    while (told.stream().noneMatch(body -> body.kind() == Kind.RESCHEDULING_RESUMED)) {
      List<Event> next = events.next(Duration.ofMinutes(1));
      assertThat(next).isNotEmpty();
      next.stream()
          .map(Event::body)
          .filter(body -> body.kind().text().startsWith("rescheduling"))
          .forEach(told::add);
    }
    return told;
  }
}
