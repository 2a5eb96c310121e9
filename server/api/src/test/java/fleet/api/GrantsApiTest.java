package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.access.AccessRole;
import fleet.core.testing.Await;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Grants are given, revoked, listed and tried out over the API. */
class GrantsApiTest extends AccessFixture {

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
