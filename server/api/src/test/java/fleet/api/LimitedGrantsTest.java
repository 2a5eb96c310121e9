package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.core.access.AccessRole;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.access.Subject;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Grants of some units, or of some machines, reach these alone. */
class LimitedGrantsTest extends AccessFixture {

  @ParameterizedTest
  @ValueSource(strings = {"units", "state", "unit-summaries"})
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
}
