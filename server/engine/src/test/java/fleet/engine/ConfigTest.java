package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.Setting;
import fleet.core.machine.Isolation;
import fleet.core.machine.Resources;
import fleet.core.unit.UnitName;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.ScheduleRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of the whole cluster, and what follows from them. */
class ConfigTest {

  private static final String STRATEGY = "scheduler.strategy";
  private static final String MEMORY = "scheduler.overcommit.memory";
  private static final EngineSettings SETTINGS = EngineSettings.of(Duration.ofHours(1));
  private static final UnitName WEB = UnitName.of("web.service");

  @TempDir Path directory;
  private LedCluster fleet;

  @BeforeEach
  void open() {
    fleet = new LedCluster(directory, SETTINGS);
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  private Optional<String> set(String name, String value) {
    return fleet.cluster().set(name, value, LedCluster.CALLER);
  }

  private String place(String unit) throws Exception {
    UnitName name = UnitName.of(unit);
    fleet.launch(name, "[Service]\nExecStart=/bin/true\n[X-Fleet]\nMemory=100M\n");
    return fleet.awaitView(name, view -> view.machine().isPresent()).machine().orElseThrow();
  }

  private void machine(String id) {
    new StoredMachine(fleet.store, fleet.registry, id)
        .present(Map.of(), Isolation.KEEP, new Resources(4000, 1L << 30, 0));
  }

  @Test
  void theStrategyIsInForceAtOnceAndForTheNextLeader() throws Exception {
    machine("m1");
    machine("m2");
    assertThat(List.of(place("a.service"), place("b.service"))).containsExactly("m1", "m2");

    assertThat(set(STRATEGY, "binpack")).isEmpty();
    assertThat(List.of(place("c.service"), place("d.service"))).containsExactly("m1", "m1");

    fleet.anotherLeads(SETTINGS, false);
    assertThat(place("e.service")).isEqualTo("m1");
    assertThat(fleet.cluster().settings())
        .contains(new Setting(STRATEGY, "binpack", "least-loaded", "user test"));
  }

  @Test
  void aSettingThatIsUnsetHasItsDefaultAgain() throws Exception {
    assertThat(set(STRATEGY, "binpack")).isEmpty();

    assertThat(fleet.cluster().unset(STRATEGY, LedCluster.CALLER)).isEmpty();

    assertThat(fleet.cluster().settings())
        .contains(new Setting(STRATEGY, "least-loaded", "least-loaded", ""));
    assertThat(fleet.cluster().unset(STRATEGY, LedCluster.CALLER)).as("it is unset").isEmpty();
    assertThat(fleet.cluster().unset("strategy", LedCluster.CALLER).orElseThrow())
        .startsWith(
            "there is no setting \"strategy\": there are machines.lost.keep, scheduler.bid.count");
  }

  @Test
  void whatWaitsForRoomComesWhereMoreIsPromisedAndGlobalUnitsAreToldHowMuch() throws Exception {
    machine("m1");
    UnitName log = UnitName.of("log.service");
    fleet.launch(log, "[Service]\nExecStart=/bin/true\n[X-Fleet]\nGlobal=true\nMemory=700M\n");
    fleet.launch(WEB, "[Service]\nExecStart=/bin/true\n[X-Fleet]\nMemory=700M\n");
    assertThat(fleet.awaitView(WEB, view -> !view.waiting().isEmpty()).waiting())
        .isEqualTo("the only machine has no room for 700M of memory");

    assertThat(set(MEMORY, "1.5")).isEmpty();

    assertThat(fleet.awaitView(WEB, view -> view.machine().isPresent()).machine()).contains("m1");
    var _ =
        fleet.store.await(
            "the entry says how much more is promised",
            entries ->
                Optional.ofNullable(entries.get(Keys.global(log)))
                    .map(ScheduleRecord::of)
                    .filter(entry -> entry.overcommit().memory() == 1.5)
                    .isPresent());
    assertThat(fleet.cluster().machines().getFirst().capacity().memory()).isEqualTo(3L << 29);
    assertThat(fleet.cluster().machines().getFirst().reserved().memory()).isEqualTo(1400L << 20);
  }

  @Test
  void badNamesAndValuesAreRefusedWithWhatThereIs() {
    assertThat(set("strategy", "binpack"))
        .contains(
            "there is no setting \"strategy\": there are machines.lost.keep, scheduler.bid.count,"
                + " scheduler.bid.machines, scheduler.bid.seconds, scheduler.overcommit.cores,"
                + " scheduler.overcommit.memory, scheduler.strategy");
    assertThat(set(STRATEGY, "best"))
        .contains(
            "scheduler.strategy cannot be \"best\": expected one of bid, binpack, least-loaded,"
                + " random, spread");
    for (String value : List.of("", "lots", "0", "-1", "101", "NaN")) {
      assertThat(set(MEMORY, value))
          .contains(
              "scheduler.overcommit.memory cannot be \""
                  + value
                  + "\": expected a number above 0 and at most 100, where 1 promises what the"
                  + " machines have");
    }
    assertThat(fleet.cluster().settings())
        .containsExactly(
            new Setting("machines.lost.keep", "1d", "1d", ""),
            new Setting("scheduler.bid.count", "3", "3", ""),
            new Setting("scheduler.bid.machines", "16", "16", ""),
            new Setting("scheduler.bid.seconds", "1", "1", ""),
            new Setting("scheduler.overcommit.cores", "1", "1", ""),
            new Setting(MEMORY, "1", "1", ""),
            new Setting(STRATEGY, "least-loaded", "least-loaded", ""));
  }

  @Test
  void whatANewerFleetHasSetDoesNotCountHere() throws Exception {
    machine("m1");
    var _ =
        fleet.registry.commit(
            Transaction.when()
                .put(Keys.config(STRATEGY), "{\"format\":1,\"value\":\"oracle\",\"by\":\"x\"}")
                .put(Keys.config("new.name"), "{\"format\":1,\"value\":\"1\",\"by\":\"x\"}")
                .build());
    assertThat(place("a.service")).isEqualTo("m1");
    assertThat(fleet.cluster().settings())
        .contains(new Setting(STRATEGY, "least-loaded", "least-loaded", ""))
        .hasSize(7);
  }

  @Test
  void anEventNamesWhoSetWhat() throws Exception {
    try (EventStream events = fleet.cluster().follow(EventsFrom.NOW)) {
      assertThat(set(STRATEGY, "spread")).isEmpty();
      List<Event.Body> told = new ArrayList<>();
      while (told.stream().noneMatch(body -> body.kind() == Event.Kind.COMMAND)) {
        events.next(Duration.ofMinutes(1)).forEach(event -> told.add(event.body()));
      }
      assertThat(told)
          .contains(
              Event.Body.of(
                  Event.Command.CONFIG,
                  Event.Subject.NONE,
                  new Cause("user test", STRATEGY + "=spread")));
    }
  }
}
