package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines;
import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Standing;
import fleet.cluster.MachineView;
import fleet.cluster.MetadataChange;
import fleet.core.machine.Drain;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.core.machine.Resources;
import fleet.core.machine.Role;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class ListsApiTest {

  /** Page size 3, pages 2 and 3. */
  private static final String SECOND = "AwACAA==";

  private static final String THIRD = "AwADAA==";

  private final ApiUnderTest api;

  ListsApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
    cluster = api.cluster;
  }

  private final FakeCluster cluster;

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private static String state(String unit, String machine) {
    return ("{\"hash\":\"h1\",\"machineID\":\"%s\",\"name\":\"%s\","
            + "\"systemdActiveState\":\"active\",\"systemdLoadState\":\"loaded\","
            + "\"systemdSubState\":\"running\",\"incarnation\":\"i1\",\"invocationID\":\"inv1\","
            + "\"performed\":\"launched\",\"restartCounter\":1,\"restarts\":2,"
            + "\"result\":\"success\",\"since\":\"2026-01-01T00:00:00Z\"}")
        .formatted(machine, unit);
  }

  @ParameterizedTest
  @ValueSource(strings = {"units", "state", "machines"})
  void anEmptyClusterGivesAnEmptyObject(String list) throws IOException {
    assertThat(api.get("/fleet/v1/" + list).body()).isEqualTo("{}");
    assertThat(api.get("/v1-alpha/" + list + "?nextPageToken=").body()).isEqualTo("{}");
  }

  @Test
  void aFullPageHasATokenEvenWhereNothingFollows() throws IOException {
    for (int i = 0; i < 6; i++) {
      cluster.add(FakeUnits.view("u" + i + ".service", DesiredState.LOADED));
    }
    assertThat(api.get("/fleet/v1/units").body())
        .startsWith("{\"nextPageToken\":\"" + SECOND + "\",\"units\":[")
        .contains("u0.service", "u2.service")
        .doesNotContain("u3.service");
    assertThat(api.get("/fleet/v1/units?nextPageToken=" + SECOND).body())
        .startsWith("{\"nextPageToken\":\"" + THIRD + "\"")
        .contains("u3.service", "u5.service")
        .doesNotContain("u2.service");
    assertThat(api.get("/fleet/v1/units?nextPageToken=" + THIRD).body()).isEqualTo("{}");
    assertThat(api.get("/fleet/v1/units?nextPageToken=").body())
        .isEqualTo(api.get("/fleet/v1/units").body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "units",
        "units/a.service",
        "state",
        "state?unitName=a.service",
        "state/a.service",
        "machines",
        "overview",
        "unit-summaries",
        "rescheduling"
      })
  void whatMayBeOldIsToldToThoseWhoDoNotMindWithItsTime(String path) throws IOException {
    cluster.add(FakeUnits.view("a.service", DesiredState.LAUNCHED));
    cluster.staleSince = Optional.of(FakeUnits.TIME);
    String stale = path + (path.contains("?") ? "&" : "?") + "stale=1";
    Reply told = api.get("/fleet/v1/" + stale);
    assertThat(told.status()).isEqualTo(200);
    assertThat(told.header("fleet-stale-since")).contains("2026-01-01T00:00:00Z");
    assertThat(api.get("/fleet/v1/" + path).header("fleet-stale-since")).isEmpty();
    cluster.staleSince = Optional.empty();
    assertThat(api.get("/fleet/v1/" + stale).header("fleet-stale-since")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "match=web@*, web@1.service web@2.service",
    "match=web@*&match=db.service, db.service web@1.service web@2.service",
    "match=db.service, db.service",
    "match=db.service&match=nosuch.service, db.service",
    "match=x*, ''",
    "match=web@*&machineID=m2, ''",
    "match=web@*&unit=web@1.service, web@1.service"
  })
  void unitsAndStatesAreChosenByPatterns(String query, String found) throws IOException {
    for (String unit : List.of("db.service", "web@1.service", "web@2.service")) {
      cluster.add(FakeUnits.view(unit, DesiredState.LAUNCHED));
      cluster.add(FakeUnits.state(unit, "m1"));
    }
    assertThat(names("state?" + query)).isEqualTo(found);
    if (!query.contains("machineID")) {
      assertThat(names("units?" + query)).isEqualTo(found);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"units?match=[x", "state?match=x", "state?match=a.service&match="})
  void whatIsNeitherANameNorAPatternIsRefused(String list) throws IOException {
    Reply refused = api.get("/fleet/v1/" + list);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("invalid unit");
  }

  private String names(String list) throws IOException {
    // "name" is also a key of options.
    return Pattern.compile("\"name\":\"([a-z0-9@]+\\.service)\"")
        .matcher(api.get("/fleet/v1/" + list).body())
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.joining(" "));
  }

  @Test
  void statesThatAreMissingAreCountedOnTheFirstPage() throws IOException {
    for (int i = 0; i < 4; i++) {
      cluster.add(FakeUnits.view("u" + i + ".service", DesiredState.LAUNCHED));
      cluster.add(FakeUnits.state("u" + i + ".service", "m1"));
    }
    cluster.unreported("m2", 7);
    String missing = "\"unreported\":[{\"machineID\":\"m2\",\"units\":7}]";
    try (RawConnection wire = api.connect()) {
      assertThat(wire.get("/fleet/v1/state").body()).endsWith("," + missing + "}");
      assertThat(wire.get("/fleet/v1/state?nextPageToken=" + SECOND).body())
          .contains("u3.service")
          .doesNotContain("unreported");
    }
    assertThat(api.get("/fleet/v1/state?machineID=m2").body()).isEqualTo("{" + missing + "}");
    assertThat(api.get("/fleet/v1/state?machineID=m1").body()).doesNotContain("unreported");
    assertThat(api.get("/fleet/v1/state?unitName=u1.service").body()).doesNotContain("unreported");
  }

  @Test
  void unitsWhoseStatesAreMissingAreNamedIfTheyWereAskedForByName() throws IOException {
    cluster.unreported("m2", UnitName.of("b.service"));
    cluster.unreported("m2", UnitName.of("a.service"));
    cluster.unreported("m3", UnitName.of("c.service"));
    assertThat(api.get("/fleet/v1/state?unit=a.service&unit=b.service").body())
        .isEqualTo(
            "{\"unreported\":[{\"machineID\":\"m2\",\"units\":2,"
                + "\"names\":[\"a.service\",\"b.service\"]}]}");
    assertThat(api.get("/fleet/v1/state?unitName=c.service").body()).contains("m3");
    assertThat(api.get("/fleet/v1/state?unitName=c.service&machineID=m2").body()).isEqualTo("{}");
  }

  @Test
  void thePagesOfAConnectionAreOfOneMoment() throws IOException {
    for (int i = 1; i <= 7; i++) {
      cluster.add(FakeUnits.view("u" + i + ".service", DesiredState.LOADED));
    }
    try (RawConnection wire = api.connect()) {
      assertThat(wire.get("/fleet/v1/units?x=1").body()).contains("u1.service", "u3.service");
      cluster.add(FakeUnits.view("u0.service", DesiredState.LOADED));
      assertThat(wire.get("/fleet/v1/state?nextPageToken=" + SECOND).body()).isEqualTo("{}");
      assertThat(wire.get("/fleet/v1/units?x=1&nextPageToken=" + SECOND).body())
          .contains("u4.service", "u6.service");
      assertThat(wire.get("/fleet/v1/units?nextPageToken=" + THIRD + "&x=1").body())
          .contains("u7.service")
          .doesNotContain("u6.service", "nextPageToken");
      assertThat(cluster.lists).hasValue(1);
      // A client with a token alone gets the page as it is now.
      assertThat(wire.get("/fleet/v1/units?x=1&nextPageToken=" + SECOND).body())
          .contains("u3.service");
      assertThat(wire.get("/fleet/v1/units").body()).contains("u0.service");
      assertThat(wire.get("/fleet/v1/units?y=1&nextPageToken=" + SECOND).body())
          .contains("u3.service");
      assertThat(cluster.lists).hasValue(4);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "AwACAA%3D%3D&nextPageToken=AwACAA%3D%3D|too many values for page token",
        "ZAABAA==|token limit must be 3",
        "AwAAAA==|token page must be greater than zero",
        "AwAC|unexpected EOF",
        "%21|illegal base64 data",
        "AwAC%2FAA=|illegal base64 data",
        "AwACAA|illegal base64 data",
        "AwACAA=|illegal base64 data",
      })
  void badTokensAreRefused(String token, String message) throws IOException {
    for (String list : List.of("units", "state", "machines")) {
      assertThat(api.get("/fleet/v1/" + list + "?nextPageToken=" + token).error())
          .isEqualTo("400 " + message);
    }
  }

  @Test
  void statesAreFilteredByMachineAndUnit() throws IOException {
    cluster.add(FakeUnits.state("b.service", "m1"));
    cluster.add(FakeUnits.state("a.service", "m2"));
    cluster.add(FakeUnits.state("a.service", "m1"));
    String all = state("a.service", "m1") + "," + state("a.service", "m2");
    assertThat(api.get("/fleet/v1/state?unitName=a.service").body())
        .isEqualTo("{\"states\":[" + all + "]}");
    assertThat(api.get("/fleet/v1/state?machineID=m1&machineID=m2&unitName=b.service").body())
        .isEqualTo("{\"states\":[" + state("b.service", "m1") + "]}");
    assertThat(api.get("/fleet/v1/state?machineID=m").body()).isEqualTo("{}");
    assertThat(api.get("/fleet/v1/state?unitName=bad").body()).isEqualTo("{}");
    assertThat(api.get("/fleet/v1/state").body()).startsWith("{\"nextPageToken\":\"AwACAA==\"");
  }

  @Test
  void listsCanBeAskedForSomeUnitsOnly() throws IOException {
    cluster.add(FakeUnits.state("b.service", "m1"));
    cluster.add(FakeUnits.state("a.service", "m2"));
    cluster.add(FakeUnits.state("c.service", "m1"));
    cluster.add(FakeUnits.view("a.service", DesiredState.LOADED));
    cluster.add(FakeUnits.view("b.service", DesiredState.LOADED));
    assertThat(api.get("/fleet/v1/state?unit=c.service&unit=a.service&unit=x.service").body())
        .isEqualTo(
            "{\"states\":[" + state("a.service", "m2") + "," + state("c.service", "m1") + "]}");
    assertThat(api.get("/fleet/v1/units?unit=b.service&unit=x.service").body())
        .contains("\"name\":\"b.service\"")
        .doesNotContain("a.service");
    assertThat(api.get("/fleet/v1/units?unit=x.service").body()).isEqualTo("{}");
  }

  @Test
  void unitsAreListedWithoutTheirOptionsIfNobodyNeedsThem() throws IOException {
    cluster.add(FakeUnits.view("a.service", DesiredState.LAUNCHED));
    assertThat(api.get("/fleet/v1/units").body()).contains("a.service", "options");
    assertThat(api.get("/fleet/v1/units?options=0").body())
        .contains("a.service", "launched")
        .doesNotContain("options");
    assertThat(api.get("/fleet/v1/units?options=some").status()).isEqualTo(400);
  }

  @Test
  void oneStateIsThatOfAnyMachine() throws IOException {
    cluster.add(FakeUnits.state("a.service", "m2"));
    assertThat(api.get("/fleet/v1/state/a.service").body()).isEqualTo(state("a.service", "m2"));
  }

  @Test
  void aKnownUnitWithoutAStateHasAnEmptyOneAndAnUnknownUnitNone() throws IOException {
    cluster.add(FakeUnits.view("a.service", DesiredState.LOADED));
    assertThat(api.get("/fleet/v1/state/a.service").body()).isEqualTo("{}");
    assertThat(api.get("/fleet/v1/state/b.service").error())
        .isEqualTo("404 unit state does not exist");
    assertThat(api.get("/fleet/v1/state/bad").error()).isEqualTo("404 unit state does not exist");
  }

  @Test
  void machinesAreListedWithTheirMetadata() throws IOException {
    cluster.add(
        new Machine("m1", "b1", "10.0.0.1", Map.of("z", "1", "a", "<2>"), "2.0.0")
            .withHost("node1", "x86_64"));
    cluster.add(new Machine("m2", "b2", "", Map.of(), "2.0.0"));
    assertThat(api.get("/fleet/v1/machines").body())
        .isEqualTo(
            "{\"machines\":[{\"id\":\"m1\",\"metadata\":{\"a\":\"\\u003c2\\u003e\",\"z\":\"1\"},"
                + "\"primaryIP\":\"10.0.0.1\",\"hostname\":\"node1\",\"architecture\":\"x86_64\","
                + "\"version\":\"2.0.0\",\"role\":\"server\",\"state\":\"ready\",\"units\":0},"
                + "{\"id\":\"m2\",\"version\":\"2.0.0\",\"role\":\"server\",\"state\":\"ready\",\"units\":0}]}");
  }

  @Test
  void machinesShowWhatTheyHaveAndWhatIsPromised() throws IOException {
    Machine machine =
        new Machine("m1", "b1", "", Map.of(), "2")
            .withResources(new Resources(4000, 1 << 20, 0, 9), Resources.UNKNOWN);
    cluster.add(
        new MachineView(
            machine,
            new Resources(3000, 1 << 19, 0, 8),
            new Resources(500, 0, 0),
            true,
            Optional.of(new Drain(2, "user a", FakeUnits.TIME)),
            false,
            3,
            Role.AGENT,
            true,
            Optional.empty()));
    assertThat(api.get("/fleet/v1/machines").body())
        .isEqualTo(
            "{\"machines\":[{\"id\":\"m1\",\"capacity\":{\"cpuMillis\":3000,\"memory\":524288,\"tasks\":8},\"cordoned\":true,\"drain\":{\"by\":\"user"
                + " a\",\"maxUnavailable\":2},\"reserved\":{\"cpuMillis\":500},\"total\":"
                + "{\"cpuMillis\":4000,\"memory\":1048576,\"tasks\":9},\"version\":\"2\",\"role\":\"agent\",\"leader\":true,\"state\":\"draining\",\"units\":3}]}");
  }

  @Test
  void theStateOfAMachineIsTheLastThatHappenedToIt() throws IOException {
    var machine = new Machine("m1", "b1", "", Map.of(), "2");
    MachineView cordoned =
        new MachineView(
            machine,
            Resources.UNKNOWN,
            Resources.UNKNOWN,
            true,
            Optional.empty(),
            false,
            0,
            Role.SERVER,
            false,
            Optional.empty());
    MachineView drained =
        new MachineView(
            machine,
            Resources.UNKNOWN,
            Resources.UNKNOWN,
            true,
            Optional.of(new Drain(1, "user a", FakeUnits.TIME)),
            true,
            1,
            Role.SERVER,
            false,
            Optional.empty());
    cluster.add(cordoned);
    cluster.add(drained);
    cluster.add(
        new MachineView(
            machine,
            Resources.UNKNOWN,
            Resources.UNKNOWN,
            true,
            Optional.empty(),
            false,
            0,
            Role.SERVER,
            false,
            Optional.of(new Maintenance(FakeUnits.TIME, "user a", "node1"))));
    assertThat(api.get("/fleet/v1/machines").body())
        .contains("\"state\":\"cordoned\"", "\"state\":\"drained\",\"units\":1")
        .contains(
            "\"state\":\"maintenance\",\"units\":0,\"maintenance\":"
                + "{\"by\":\"user a\",\"until\":\"2026-01-01T00:00:00Z\"}");
  }

  @Test
  void aMachineIsCordonedAndUncordoned() throws IOException {
    cluster.add(new Machine("m1", "b1", "", Map.of(), "2.0.0"));
    assertThat(api.request("POST", "/fleet/v1/machines/m1/cordon", "").status()).isEqualTo(204);
    assertThat(api.request("POST", "/fleet/v1/machines/m1/cordon", "").status()).isEqualTo(200);
    assertThat(cluster.cordoned).containsExactly("m1");
    assertThat(api.request("POST", "/fleet/v1/machines/m2/cordon", "").error())
        .isEqualTo("404 no machine has the id m2");
    assertThat(api.request("POST", "/fleet/v1/machines/m1/uncordon", "").status()).isEqualTo(204);
    assertThat(api.request("POST", "/fleet/v1/machines/m2/uncordon", "").status()).isEqualTo(200);
    assertThat(cluster.cordoned).isEmpty();
    assertThat(api.get("/fleet/v1/machines/m1/cordon").status()).isEqualTo(405);
    assertThat(api.request("POST", "/fleet/v1/machines/m1/paint", "").status()).isEqualTo(404);
  }

  @Test
  void theMaintenanceOfAMachineBeginsAndEnds() throws IOException {
    cluster.add(new Machine("m1", "b1", "", Map.of(), "2.0.0"));
    String path = "/fleet/v1/machines/m1/maintenance";
    assertThat(api.request("POST", path, "").body())
        .isEqualTo("{\"by\":\"" + caller() + "\",\"until\":\"2026-01-01T00:30:00Z\"}");
    assertThat(api.request("POST", path + "?for=24h", "").body())
        .contains("\"until\":\"2026-01-02T00:00:00Z\"");
    for (String time : List.of("59s", "24h1s", "soon", "-1h", "99999999999999999999h")) {
      assertThat(api.request("POST", path + "?for=" + time, "").error())
          .isEqualTo("400 for must be a duration from 1m to 24h, such as 30m, not " + time);
    }
    assertThat(cluster.maintained).containsOnlyKeys("m1");
    assertThat(api.request("DELETE", path, "").status()).isEqualTo(204);
    assertThat(api.request("DELETE", path, "").status()).isEqualTo(200);
    assertThat(api.get(path).status()).isEqualTo(405);
  }

  private String caller() {
    return cluster.callers.getFirst().name();
  }

  @Test
  void aMachineWhoseUnitsWouldNotStayIsNotMaintained() throws IOException {
    cluster.add(new Machine("m1", "b1", "", Map.of(), "2.0.0").withIsolation(Isolation.STOP));
    cluster.absences =
        new AbsentMachines(
            List.of(
                new Absent("m2", 1, Standing.LOST, Optional.empty()),
                new Absent("m3", 1, Standing.MAINTENANCE, Optional.empty())),
            Optional.empty(),
            List.of());
    assertThat(maintain("m1").error())
        .startsWith("409 machine m1 has on_isolation=stop: its units stop when its fleetd is away");
    assertThat(maintain("m2").error())
        .isEqualTo("409 machine m2 is away: maintenance begins while its fleetd runs");
    assertThat(maintain("m3").status()).isEqualTo(200);
    assertThat(maintain("m4").error()).isEqualTo("404 no machine has the id m4");
    assertThat(cluster.maintained).containsOnlyKeys("m3");
  }

  private Reply maintain(String machine) throws IOException {
    return api.request("POST", "/fleet/v1/machines/" + machine + "/maintenance", "");
  }

  @Test
  void aMachineIsDrained() throws IOException {
    cluster.add(new Machine("m1", "b1", "", Map.of(), "2.0.0"));
    String drain = "/fleet/v1/machines/m1/drain";
    assertThat(api.request("POST", drain + "?maxUnavailable=2", "").status()).isEqualTo(204);
    assertThat(api.request("POST", drain + "?maxUnavailable=2", "").status()).isEqualTo(200);
    for (String number : List.of("0", "-1", "two", "99999999999")) {
      assertThat(api.request("POST", drain + "?maxUnavailable=" + number, "").error())
          .isEqualTo("400 maxUnavailable must be a whole number of at least 1, not " + number);
    }
    assertThat(api.request("POST", "/fleet/v1/machines/m2/drain", "").error())
        .isEqualTo("404 no machine has the id m2");
    assertThat(api.get(drain).status()).isEqualTo(405);
    assertThat(api.request("PUT", drain, "").status()).isEqualTo(405);
  }

  @Test
  void metadataIsChangedInOrder() throws IOException {
    Reply reply =
        api.request(
            "PATCH",
            "/fleet/v1/machines",
            "[{\"op\":\"add\",\"path\":\"/m1/metadata/region\",\"value\":{\"value\":\"eu\"}},"
                + "{\"OP\":\"replace\",\"path\":\"/m1/metadata/disk.type\",\"value\":\"ssd\"},"
                + "{\"op\":\"remove\",\"path\":\"/m2/metadata/a_b-c\"}]");
    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.header("content-type")).isEqualTo("application/json");
    assertThat(cluster.metadataChanges)
        .containsExactly(
            new MetadataChange.Set("m1", "region", "eu"),
            new MetadataChange.Set("m1", "disk.type", "ssd"),
            new MetadataChange.Remove("m2", "a_b-c"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'op':'move','path':'/m/metadata/k','value':'v'}|invalid op: expect add, remove, or"
            + " replace",
        "{'op':'add','path':'/m/metadata/k k','value':'v'}|machine metadata path invalid",
        "{'op':'add','path':'/m/meta/k','value':'v'}|machine metadata path invalid",
        "{'op':'add','path':'/m/n/metadata/k','value':'v'}|machine metadata path invalid",
        "{'op':'remove','path':'/m/metadata/'}|machine metadata path invalid",
        "{'op':'replace','path':'/m/metadata/k'}|invalid value: add and replace require a value",
        "{'op':'add','path':'/m/metadata/k','value':{}}|invalid value: add and replace require a"
            + " value",
        "{'op':'add','path':'/m/metadata/k','value':'v\\n9.9.9.9 forged'}|metadata"
            + " k=v\\\\x0a9.9.9.9 forged: no control characters, please",
      })
  void aBadChangeIsRefusedAndNothingIsChanged(String entry, String message) throws IOException {
    String good = "{\"op\":\"add\",\"path\":\"/m/metadata/k\",\"value\":\"v\"}";
    Reply reply =
        api.request(
            "PATCH", "/fleet/v1/machines", "[" + good + "," + entry.replace('\'', '"') + "]");
    assertThat(reply.error()).isEqualTo("400 " + message);
    assertThat(cluster.metadataChanges).isEmpty();
  }

  @Test
  void aPatchThatIsNotJsonIsRefused() throws IOException {
    assertThat(api.request("PATCH", "/fleet/v1/machines", "what").status()).isEqualTo(400);
  }
}
