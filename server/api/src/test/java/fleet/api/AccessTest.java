package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.access.AccessRole;
import fleet.core.access.Action;
import fleet.core.access.Subject;
import fleet.core.access.Target;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests are allowed or refused by the grants of the subject that makes them. */
class AccessTest extends AccessFixture {

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

  /** The method, the path, the action, and the fleetds that answer. */
  private static final List<String> EVERY_ROUTE =
      List.of(
          "GET units LIST LEADER",
          "PUT units SUBMIT SERVER",
          "GET units/db.service LIST LEADER",
          "PUT units/new.service SUBMIT SERVER",
          "DELETE units/db.service DESTROY SERVER",
          "POST units/db.service/restart RESTART SERVER",
          "POST units/db.service/restart-in-turns RESTART LEADER",
          "POST units/db.service/start START LEADER",
          "GET units/db.service/history CAT SERVER",
          "GET units/db.service/why WHY LEADER",
          "GET units/db.service/status STATUS LEADER",
          "GET units/db.service/journal JOURNAL LEADER",
          "POST units/db.service/reload RESTART LEADER",
          "POST units/db.service/kill RESTART LEADER",
          "POST units/db.service/freeze RESTART LEADER",
          "POST units/db.service/thaw RESTART LEADER",
          "POST units/db.service/reset-failed RESTART LEADER",
          "GET state LIST LEADER",
          "GET state/db.service LIST LEADER",
          "GET machines LIST LEADER",
          "PATCH machines MACHINES SERVER",
          "POST machines/m1/drain DRAIN LEADER",
          "POST machines/m1/exec EXEC LEADER",
          "PUT machines/m1/exec-input EXEC LEADER",
          "POST machines/m1/cordon MACHINES LEADER",
          "POST machines/m1/uncordon MACHINES SERVER",
          "POST machines/m1/maintenance MACHINES LEADER",
          "DELETE machines/m1/maintenance MACHINES SERVER",
          "POST machines/m1/remove MACHINES SERVER",
          "POST machines/m1/readmit MACHINES SERVER",
          "GET rescheduling LIST LEADER",
          "POST rescheduling/resume MACHINES SERVER",
          "POST plan PLAN LEADER",
          "GET operations LIST LEADER",
          "GET operations/rollout-db.service LIST LEADER",
          "POST operations/rollout-db.service/pause ROLLOUT SERVER",
          "POST operations/restart-db.service/pause RESTART SERVER",
          "POST operations/drain-m1/cancel DRAIN SERVER",
          "POST operations/rebalance/cancel REBALANCE SERVER",
          "PUT rollouts/db.service ROLLOUT LEADER",
          "POST rebalance REBALANCE LEADER",
          "GET overview LIST LEADER",
          "GET unit-summaries LIST LEADER",
          "GET config LIST LEADER",
          "GET config/scheduler.strategy LIST LEADER",
          "PUT config/scheduler.strategy CONFIG SERVER",
          "DELETE config/scheduler.strategy CONFIG SERVER",
          "GET tokens TOKENS SERVER",
          "POST tokens TOKENS SERVER",
          "DELETE tokens/t1 TOKENS SERVER",
          "GET access ACCESS SERVER",
          "POST access/check ACCESS LEADER",
          "GET whoami LIST SERVER",
          "PUT access/bob ACCESS SERVER",
          "DELETE access/bob ACCESS SERVER",
          "GET events LIST LEADER",
          "GET journal JOURNAL LEADER",
          "GET usage LIST LEADER",
          "GET audit AUDIT LEADER",
          "GET backup BACKUP SERVER",
          "GET discovery LIST HERE",
          "GET openapi.yaml LIST HERE");

  static Stream<String[]> everyRoute() {
    return EVERY_ROUTE.stream().map(line -> line.split(" "));
  }

  @Test
  void everyRouteHasItsActionAndTheFleetdsThatAnswer() {
    for (String[] words : everyRoute().toList()) {
      Route route = routes.of(words[0], "/fleet/v1/" + words[1]);
      assertThat(words[2] + " " + words[3])
          .as(words[0] + " " + words[1])
          .isEqualTo(route.action() + " " + route.where());
    }
  }

  /** Its grants and tokens are the whole cluster's: no part of it gives them away. */
  @Test
  void whatHasNoPartsTakesTheClusterAsAWhole() {
    for (String[] words : everyRoute().toList()) {
      Route route = routes.of(words[0], "/fleet/v1/" + words[1]);
      if (route.action().isOfCluster()) {
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
}
