package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.access.AccessRole;
import fleet.core.access.Subject;
import fleet.core.audit.AuditLog;
import fleet.entities.EntityJson;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Requests that come through a joined machine. */
class JoinedMachineAccessTest extends AccessFixture {

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
}
