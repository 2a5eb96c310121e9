package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.UnitView;
import fleet.core.access.AccessRole;
import fleet.core.access.Action;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.access.Subject;
import fleet.core.access.Target;
import fleet.core.audit.AuditLog;
import fleet.core.machine.Machine;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.entities.EntityJson;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests are allowed or refused by the grants of whoever makes them. */
class AccessTest {

  private static final String UNIT =
      "{\"desiredState\":\"loaded\",\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\","
          + "\"value\":\"/bin/true\"}]}";
  private static final Subject ALICE = new Subject.Person("alice", Optional.empty());
  private static final Subject ROOT = new Subject.User("root", 0, Set.of("root"));
  private static final Subject NODE = new Subject.Joined("m1", "user root");

  private final FakeCluster cluster = new FakeCluster();
  private final FakeTokens tokens = new FakeTokens();
  private final FakeGrants grants = new FakeGrants();
  private final Routes routes =
      new Routes(
          new ApiSettings("2.0.0", 100, List.of(), Optional.empty()),
          new EntityJson(),
          new MetricsResource(new MetricStore(), Optional::empty),
          new HealthResource(Optional::empty));
  private final Gateway gateway =
      new Gateway(
          routes, new EntityJson(), new FakeBackend(cluster, tokens, grants), AuditLog.NONE);

  @BeforeEach
  void fill() {
    cluster.add(placed("web@1.service", "m1"));
    cluster.add(placed("db.service", "m2"));
    cluster.add(FakeCluster.state("web@1.service", "m1"));
    cluster.add(FakeCluster.state("db.service", "m2"));
    cluster.add(machine("m1", "eu"));
    cluster.add(machine("m2", "us"));
  }

  private static UnitView placed(String name, String machine) {
    UnitView view = FakeCluster.view(name, DesiredState.LAUNCHED);
    return new UnitView(
        view.unit(),
        view.current(),
        Optional.of(machine),
        false,
        "",
        false,
        "least loaded",
        Optional.empty());
  }

  private static Machine machine(String id, String region) {
    return new Machine(id, "boot", "10.0.0.1", Map.of("region", region), "2.0.0");
  }

  private PlayedAnswer ask(Subject subject, String method, String path, String body)
      throws IOException {
    PlayedAnswer answer = new PlayedAnswer();
    gateway.answerRelayed(
        PlayedRequest.of(method, "/fleet/v1/" + path).with(body).by(subject), answer);
    return answer;
  }

  private PlayedAnswer get(Subject subject, String path) throws IOException {
    return ask(subject, "GET", path, "");
  }

  private static String bodyOf(String path) {
    return switch (path) {
      case "plan" -> "{\"lose\":\"m1\"}";
      case "units/new.service" -> UNIT;
      case "config/scheduler.strategy" -> "{\"value\":\"binpack\"}";
      case "rollouts/db.service" -> "{\"options\":[]}";
      default -> "{}";
    };
  }

  // ---- every route

  private static final List<String> EVERY_ROUTE =
      List.of(
          "GET units LIST",
          "PUT units SUBMIT",
          "GET units/db.service LIST",
          "PUT units/new.service SUBMIT",
          "DELETE units/db.service DESTROY",
          "POST units/db.service/restart RESTART",
          "POST units/db.service/restart-in-turns RESTART",
          "POST units/db.service/start START",
          "GET units/db.service/history CAT",
          "GET units/db.service/why WHY",
          "GET units/db.service/status STATUS",
          "GET units/db.service/journal JOURNAL",
          "POST units/db.service/reload RESTART",
          "POST units/db.service/kill RESTART",
          "POST units/db.service/freeze RESTART",
          "POST units/db.service/thaw RESTART",
          "POST units/db.service/reset-failed RESTART",
          "GET state LIST",
          "GET state/db.service LIST",
          "GET machines LIST",
          "PATCH machines MACHINES",
          "POST machines/m1/drain DRAIN",
          "POST machines/m1/exec EXEC",
          "PUT machines/m1/exec-input EXEC",
          "POST machines/m1/cordon MACHINES",
          "POST machines/m1/uncordon MACHINES",
          "POST machines/m1/maintenance MACHINES",
          "DELETE machines/m1/maintenance MACHINES",
          "POST machines/m1/remove MACHINES",
          "POST machines/m1/readmit MACHINES",
          "GET rescheduling LIST",
          "POST rescheduling/resume MACHINES",
          "POST plan PLAN",
          "GET operations LIST",
          "GET operations/rollout-db.service LIST",
          "POST operations/rollout-db.service/pause ROLLOUT",
          "POST operations/restart-db.service/pause RESTART",
          "POST operations/drain-m1/cancel DRAIN",
          "POST operations/rebalance/cancel REBALANCE",
          "PUT rollouts/db.service ROLLOUT",
          "POST rebalance REBALANCE",
          "GET overview LIST",
          "GET config LIST",
          "GET config/scheduler.strategy LIST",
          "PUT config/scheduler.strategy CONFIG",
          "DELETE config/scheduler.strategy CONFIG",
          "GET tokens TOKENS",
          "POST tokens TOKENS",
          "DELETE tokens/t1 TOKENS",
          "GET access ACCESS",
          "POST access/check ACCESS",
          "GET whoami LIST",
          "PUT access/bob ACCESS",
          "DELETE access/bob ACCESS",
          "GET events LIST",
          "GET journal JOURNAL",
          "GET usage LIST",
          "GET audit AUDIT",
          "GET backup BACKUP",
          "GET discovery LIST",
          "GET openapi.yaml LIST");

  static Stream<String[]> everyRoute() {
    return EVERY_ROUTE.stream().map(line -> line.split(" "));
  }

  @Test
  void everyRouteHasItsAction() {
    for (String[] words : everyRoute().toList()) {
      assertThat(routes.of(words[0], "/fleet/v1/" + words[1]).action())
          .as(words[0] + " " + words[1])
          .isEqualTo(Action.valueOf(words[2]));
    }
  }

  /** Its grants and tokens are the whole cluster's: no part of it gives them away. */
  @Test
  void whatHasNoPartsTakesTheClusterAsAWhole() {
    for (String[] words : everyRoute().toList()) {
      Route route = routes.of(words[0], "/fleet/v1/" + words[1]);
      if (Set.of(
              Action.TOKENS,
              Action.ACCESS,
              Action.AUDIT,
              Action.BACKUP,
              Action.CONFIG,
              Action.REBALANCE)
          .contains(route.action())) {
        assertThat(route.target()).as(words[1]).isEqualTo(Target.CLUSTER);
      }
    }
  }

  @Test
  void nobodyWithoutAGrantGetsAnything() throws IOException {
    for (String[] words : everyRoute().toList()) {
      assertThat(ask(ALICE, words[0], words[1], bodyOf(words[1])).status())
          .as(words[0] + " " + words[1])
          .isEqualTo(403);
    }
    assertThat(cluster.callers).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(AccessRole.class)
  void eachRoleReachesItsRoutesAndNoOther(AccessRole role) throws IOException {
    grants.give("alice", role);
    for (String[] words : everyRoute().toList()) {
      if (words[1].equals("events") || words[1].equals("access/bob")) {
        continue;
      }
      int status = ask(ALICE, words[0], words[1], bodyOf(words[1])).status();
      if (role.includes(Action.valueOf(words[2]).role())) {
        assertThat(status).as(words[0] + " " + words[1]).isNotEqualTo(403);
      } else {
        assertThat(status).as(words[0] + " " + words[1]).isEqualTo(403);
      }
    }
  }

  // ---- the caller

  @Test
  void callersLearnWhatTheyMayDo() throws IOException {
    grants.give("alice", AccessRole.VIEWER);
    String viewer = get(ALICE, "whoami").body();
    assertThat(viewer)
        .contains("\"role\":\"viewer\"", "\"list\"", "\"journal\"")
        .doesNotContain("\"submit\"", "\"drain\"", "\"limited\":[\"");
    String root = get(ROOT, "whoami").body();
    assertThat(root).contains("\"role\":\"admin\"", "\"drain\"", "\"access\"");
  }

  /** A part is not enough for actions on the cluster as a whole. */
  @Test
  void whatCallersMayDoToAPartIsToldApart() throws IOException {
    grants.give("alice", AccessRole.ADMIN, "web@*");
    String body = get(ALICE, "whoami").body();
    assertThat(body)
        .contains("\"role\":\"admin\"")
        .doesNotContain("\"config\"", "\"tokens\"")
        .containsPattern("\"actions\":\\[[^]]*\"submit\"")
        .containsPattern("\"limited\":\\[[^]]*\"submit\"");
  }

  // ---- text

  @Test
  void aViewerSeesUnitsWithoutTheirText() throws IOException {
    grants.give("alice", AccessRole.VIEWER);
    assertThat(get(ALICE, "units").body()).contains("db.service").doesNotContain("/bin/true");
    assertThat(get(ALICE, "units/db.service").body()).doesNotContain("/bin/true");
    assertThat(get(ALICE, "units/db.service?text=1").status()).isEqualTo(403);
    assertThat(get(ROOT, "units/db.service?text=1").body()).contains("/bin/true");
  }

  @Test
  void aRoleOnSomeUnitsGivesTheirTextAlone() throws IOException {
    grants.give("alice", AccessRole.VIEWER);
    grants.give("group:web", AccessRole.OPERATOR, "web@*");
    Subject bob = new Subject.User("bob", 1000, Set.of("bob", "fleet-viewer", "web"));
    assertThat(get(bob, "units/web@1.service?text=1").body()).contains("/bin/true");
    assertThat(get(bob, "units/db.service?text=1").status()).isEqualTo(403);
    assertThat(get(bob, "units").body()).containsOnlyOnce("/bin/true").contains("db.service");
  }

  @Test
  void formerContentsAreForThoseWhoMayReadThePresentOne() throws IOException {
    grants.give("alice", AccessRole.VIEWER);
    grants.give("group:web", AccessRole.OPERATOR, "web@*");
    Subject bob = new Subject.User("bob", 1000, Set.of("bob", "fleet-viewer", "web"));
    assertThat(get(ALICE, "units/web@1.service/history").status()).isEqualTo(403);
    assertThat(get(bob, "units/db.service/history").status()).isEqualTo(403);
    assertThat(get(bob, "units/web@1.service/history").status()).isEqualTo(404);
    assertThat(get(ROOT, "units/db.service/history").status()).isEqualTo(404);
  }

  // ---- health

  private int health(Subject subject, String path) throws IOException {
    PlayedAnswer answer = new PlayedAnswer();
    gateway.answer(PlayedRequest.get(path).by(subject), answer);
    return answer.status();
  }

  /** Metrics tell of units and machines, and health does not. */
  @ParameterizedTest
  @ValueSource(strings = {"/healthz", "/readyz"})
  void everyUserOfTheMachineMayAskForItsHealth(String path) throws IOException {
    assertThat(routes.of("GET", path).action()).isEqualTo(Action.HEALTH);
    Subject mallory = new Subject.User("mallory", 1000, Set.of("mallory"));
    assertThat(health(mallory, path)).isEqualTo(200);
    assertThat(health(mallory, "/metrics")).isEqualTo(403);
    assertThat(health(ALICE, path)).isEqualTo(403);
    assertThat(health(new Subject.Stranger("10.0.0.9"), path)).isEqualTo(401);
    grants.give("alice", AccessRole.VIEWER);
    assertThat(health(ALICE, path)).isEqualTo(200);
  }

  // ---- limits

  /** The metrics of a leader count units that such a grant hides. */
  @Test
  void metricsAreForGrantsOfTheWholeCluster() throws IOException {
    grants.give("alice", AccessRole.OPERATOR, "web@*");
    assertThat(health(ALICE, "/metrics")).isEqualTo(403);
    assertThat(health(ALICE, "/metrics?cluster=true")).isEqualTo(403);
    assertThat(health(ALICE, "/metrics/cluster")).isEqualTo(200);
    grants.give("alice", AccessRole.VIEWER);
    assertThat(health(ALICE, "/metrics")).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"units", "state"})
  void listsShowWhatAGrantIsOf(String list) throws IOException {
    grants.give("alice", AccessRole.OPERATOR, "web@*");
    assertThat(get(ALICE, list).body()).contains("web@1.service").doesNotContain("db.service");
  }

  @Test
  void theOverviewIsOfWhatAGrantIsOf() throws IOException {
    cluster.leadsSince = Optional.of(Instant.EPOCH);
    grants.give("alice", AccessRole.OPERATOR, "web@*");
    assertThat(get(ALICE, "overview").body())
        .isEqualTo(
            "{\"machines\":{\"ready\":2},\"units\":{\"active\":1},\"versions\":{\"2.0.0\":2}}");
    assertThat(get(ROOT, "overview").body())
        .contains("\"units\":{\"active\":2}")
        .contains("\"store\":{\"kind\":\"embedded\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE, units/%s",
    "POST, units/%s/restart",
    "POST, units/%s/restart-in-turns",
    "POST, units/%s/start",
    "PUT, units/%s",
    "POST, operations/rollout-%s/pause",
    "POST, operations/restart-%s/pause"
  })
  void commandsReachWhatAGrantIsOf(String method, String path) throws IOException {
    grants.give("alice", AccessRole.OPERATOR, "web@*");
    assertThat(ask(ALICE, method, path.formatted("db.service"), UNIT).status()).isEqualTo(403);
    assertThat(cluster.callers).isEmpty();
    assertThat(ask(ALICE, method, path.formatted("web@1.service"), UNIT).status())
        .isNotEqualTo(403);
    assertThat(cluster.callers).hasSize(1);
  }

  /** The registry has the text of all units. */
  @Test
  void onlyAnAdminOfAllMakesABackup() throws IOException {
    grants.give("alice", AccessRole.ADMIN, "web@*");
    assertThat(get(ALICE, "backup").status()).isEqualTo(403);
    assertThat(get(ROOT, "backup").body()).isEqualTo("a backup\n");
  }

  @Test
  void ordersReachWhatAGrantIsOf() throws IOException {
    List<String> asked = new ArrayList<>();
    cluster.answers =
        (machine, question) -> {
          asked.add(machine);
          return Optional.of(FakeAnswer.whole("", 0));
        };
    grants.give("alice", AccessRole.VIEWER);
    grants.give("group:web", AccessRole.OPERATOR, "web@*");
    Subject bob = new Subject.User("bob", 1000, Set.of("bob", "fleet-viewer", "web"));
    PlayedAnswer refused = ask(bob, "POST", "units/db.service/kill", "");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body()).contains("may not restart db.service");
    assertThat(ask(bob, "POST", "units/db.service/reload?machine=m1", "").status()).isEqualTo(403);
    assertThat(ask(ALICE, "POST", "units/web@1.service/kill", "").status()).isEqualTo(403);
    assertThat(asked).isEmpty();
    assertThat(ask(bob, "POST", "units/web@1.service/kill", "").status()).isEqualTo(200);
    assertThat(asked).containsExactly("m1");
  }

  /** A command is root's: whoever has some units only could take all others of the machine. */
  @Test
  void commandsRunOnTheMachinesThatAGrantIsOf() throws IOException {
    cluster.answers = (_, _) -> Optional.of(FakeAnswer.whole("frames", 0));
    String command = "{\"command\":[\"id\"]}";
    grants.give("alice", AccessRole.ADMIN, "web@*");
    assertThat(ask(ALICE, "POST", "machines/m1/exec", command).body())
        .contains("may not run commands on machine m1");
    grants.grant(
        new Grant(
            GrantHolder.parse("alice").orElseThrow(),
            AccessRole.ADMIN,
            List.of(),
            Map.of("region", "eu")),
        new Caller("user root"));
    assertThat(ask(ALICE, "POST", "machines/m1/exec", command).status()).isEqualTo(200);
    assertThat(ask(ALICE, "POST", "machines/m2/exec", command).status()).isEqualTo(403);
    assertThat(
            ask(ALICE, "PUT", "machines/m2/exec-input?session=" + UUID.randomUUID(), "x").status())
        .isEqualTo(403);
  }

  /** A request with one unit of somebody else's changes none. */
  @Test
  void severalUnitsAreChangedTogetherOrNotAtAll() throws IOException {
    grants.give("alice", AccessRole.OPERATOR, "web@*");
    String both =
        "{\"units\":[{\"name\":\"web@1.service\",\"desiredState\":\"inactive\"},"
            + UNIT.replaceFirst("[{]", "{\"name\":\"db.service\",")
            + "]}";
    assertThat(ask(ALICE, "PUT", "units", both).status()).isEqualTo(403);
    assertThat(cluster.callers).isEmpty();
  }

  @Test
  void anAdminOfSomeUnitsMakesNoTokensAndNoAdmins() throws IOException {
    grants.give("alice", AccessRole.ADMIN, "web@*");
    assertThat(ask(ALICE, "POST", "tokens", "{}").status()).isEqualTo(403);
    assertThat(ask(ALICE, "PUT", "access/alice", "{\"role\":\"admin\"}").status()).isEqualTo(403);
    assertThat(ask(ALICE, "POST", "machines/m1/drain", "").status()).isEqualTo(403);
    assertThat(tokens.callers).isEmpty();
  }

  // ---- joined machines

  /** C1 and L19: a machine's certificate, and so its group fleet, was root on all machines. */
  @Test
  void aJoinedMachineSeesItselfAndCommandsNothing() throws IOException {
    assertThat(get(NODE, "units").body()).contains("web@1.service").doesNotContain("db.service");
    assertThat(get(NODE, "state").body()).contains("web@1.service").doesNotContain("db.service");
    assertThat(get(NODE, "machines").body()).contains("m1").doesNotContain("m2");
    assertThat(get(NODE, "units/db.service").status()).isEqualTo(404);
    assertThat(get(NODE, "units/db.service/journal").status()).isEqualTo(404);
    assertThat(get(NODE, "units").body()).doesNotContain("/bin/true");
    PlayedAnswer refused = ask(NODE, "PUT", "units/evil.service", UNIT);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body())
        .contains("user root on m1 may not submit evil.service")
        .contains("run on a server: fleetctl access grant machine:m1 --role=operator");
    assertThat(ask(NODE, "POST", "tokens", "{}").status()).isEqualTo(403);
    assertThat(cluster.callers).isEmpty();
    assertThat(tokens.callers).isEmpty();
  }

  @Test
  void aJoinedMachineWithAGrantCommands() throws IOException {
    grants.give("machine:m1", AccessRole.OPERATOR);
    assertThat(ask(NODE, "PUT", "units/new.service", UNIT).status()).isEqualTo(201);
    assertThat(get(NODE, "units").body()).contains("db.service");
  }

  /** Grants do not change that: else a thief of one such machine would take the cluster. */
  @Test
  void onlyServersMakeServers() throws IOException {
    grants.give("machine:m1", AccessRole.ADMIN);
    PlayedAnswer refused = ask(NODE, "POST", "tokens", "{\"role\":\"server\"}");
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body()).contains("tokens for servers are made on servers");
    for (String command : List.of("remove", "readmit")) {
      assertThat(ask(NODE, "POST", "machines/m2/" + command, "").body())
          .contains("membership is managed on servers");
    }
    assertThat(tokens.callers).isEmpty();
    assertThat(ask(NODE, "POST", "tokens", "{\"role\":\"agent\"}").status()).isEqualTo(201);
    assertThat(ask(ROOT, "POST", "tokens", "{\"role\":\"server\"}").status()).isEqualTo(201);
  }

  @Test
  void usersOfAJoinedMachineWhomItDoesNotTrustDoNotSpeakForIt() throws IOException {
    Gateway joined =
        new Gateway(
            routes,
            new EntityJson(),
            fleet.api.Backend.joined((request, answer) -> {
              throw new AssertionError("passed on");
            }),
            AuditLog.NONE);
    PlayedAnswer answer = new PlayedAnswer();
    Subject mallory = new Subject.User("mallory", 1000, Set.of("mallory"));
    joined.answer(PlayedRequest.get("/fleet/v1/units").by(mallory), answer);
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body())
        .contains("user mallory may not list units and machines from here")
        .contains("ask a server");
  }

  // ---- changes

  @Test
  void grantsAreInForceAtOnce() throws IOException {
    assertThat(get(ALICE, "units").status()).isEqualTo(403);
    assertThat(ask(ROOT, "PUT", "access/alice", "{\"role\":\"viewer\"}").status()).isEqualTo(204);
    assertThat(get(ALICE, "units").status()).isEqualTo(200);
    assertThat(ask(ROOT, "DELETE", "access/person:alice", "").status()).isEqualTo(204);
    assertThat(get(ALICE, "units").status()).isEqualTo(403);
    assertThat(ask(ROOT, "DELETE", "access/person:alice", "").status()).isEqualTo(404);
  }

  @Test
  void aStreamEndsWhenItsGrantIsRevoked() throws Exception {
    grants.give("alice", AccessRole.VIEWER);
    PlayedAnswer answer = new PlayedAnswer();
    Thread reader =
        Thread.ofVirtual()
            .start(() -> {
              try {
                gateway.answerRelayed(PlayedRequest.get("/fleet/v1/events").by(ALICE), answer);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    Await.until(() -> !grants.followers.isEmpty());
    assertThat(ask(ROOT, "DELETE", "access/alice", "").status()).isEqualTo(204);
    reader.join();
    assertThat(answer.continued).isTrue();
    assertThat(grants.followers).isEmpty();
  }

  // ---- asked for

  @Test
  void grantsAreListedWithWhoGaveThem() throws IOException {
    ask(
        ROOT,
        "PUT",
        "access/alice",
        "{\"role\":\"operator\",\"units\":[\"web@*\"],\"metadata\":{\"region\":\"eu\"}}");
    assertThat(get(ROOT, "access").body())
        .isEqualTo(
            "{\"grants\":[{\"subject\":\"person:alice\",\"role\":\"operator\",\"units\":[\"web@*\"],\"metadata\":{\"region\":\"eu\"},\"by\":\"user"
                + " a\"}]}");
  }

  @ParameterizedTest
  @CsvSource({
    "alice, start, web@1.service, 'true'",
    "alice, start, db.service, 'false'",
    "alice, tokens, , 'false'",
    "bob, list, db.service, 'false'",
    "user:root, tokens, , 'true'",
    "machine:m1, journal, web@1.service, 'true'",
    "machine:m1, journal, db.service, 'false'",
    "group:fleet-operator, destroy, db.service, 'true'",
  })
  void whatAGrantAllowsCanBeTriedOut(String subject, String action, String unit, String allowed)
      throws IOException {
    grants.give("alice", AccessRole.OPERATOR, "web@*");
    String question =
        "{\"subject\":\"%s\",\"action\":\"%s\"%s}"
            .formatted(subject, action, unit == null ? "" : ",\"unit\":\"" + unit + "\"");
    PlayedAnswer answer = ask(ROOT, "POST", "access/check", question);
    assertThat(answer.body()).contains("\"allowed\":" + allowed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "access/a%20b     | {\"role\":\"admin\"}                         | invalid subject",
        "access/robot:x   | {\"role\":\"admin\"}                         | invalid subject",
        "access/alice     | {\"role\":\"king\"}                          | invalid role",
        "access/alice     | {}                                           | invalid role",
        "access/alice     | {\"role\":\"viewer\",\"units\":[\"[\"]}      | malformed pattern",
      })
  void badGrantsAreRefused(String path, String body, String message) throws IOException {
    PlayedAnswer answer = ask(ROOT, "PUT", path, body);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains(message);
    assertThat(grants.list()).isEmpty();
  }
}
