package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.output.LocalTimes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AccessCommandTest extends ServedCommandTest {

  private static final String ALICE =
      "{\"subject\":\"person:alice\",\"role\":\"operator\",\"units\":[\"web@*\",\"db.service\"],"
          + "\"metadata\":{\"region\":\"eu\"},\"by\":\"user root\",\"loggedIn\":true,"
          + "\"invitations\":[{\"expires\":\"2026-03-01T10:00:00Z\",\"id\":\"i1\"}]}";

  private final List<String> asked = new CopyOnWriteArrayList<>();

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    asked.add(request.method() + " " + request.path() + " " + request.body());
    if (request.path().endsWith("/access/check")) {
      return request.body().contains("start")
          ? FakeHttpServer.reply(
              out,
              200,
              "{\"allowed\":true,\"grant\":\"the role operator, by a grant to person:alice\"}")
          : FakeHttpServer.reply(
              out,
              200,
              "{\"allowed\":false,\"because\":\"that needs the role operator, and person:alice has no role\"}");
    }
    if (request.path().endsWith("/invite")) {
      return FakeHttpServer.reply(
          out,
          201,
          "{\"id\":\"i1\",\"code\":\"FLEET-LOGIN-1-x\",\"expires\":\"2026-03-01T10:00:00Z\","
              + "\"servers\":[\"10.0.0.1:50060\"]}");
    }
    if (request.path().endsWith("/access")) {
      return FakeHttpServer.reply(
          out, 200, "{\"grants\":[" + ALICE + ",{\"subject\":\"user:bob\",\"role\":\"viewer\"}]}");
    }
    return request.path().endsWith("/nobody")
        ? FakeHttpServer.reply(
            out, 404, "{\"error\":{\"code\":404,\"message\":\"person:nobody has no grant\"}}")
        : FakeHttpServer.reply(out, 204, "");
  }

  @Test
  void grantsAreListedWithTheirLimits() {
    List<List<String>> cells =
        run("access").out().lines().map(line -> List.of(line.split("\t+"))).toList();
    assertThat(cells)
        .containsExactly(
            List.of("SUBJECT", "ROLE", "UNITS", "MACHINES", "LOGIN", "BY"),
            List.of(
                "person:alice",
                "operator",
                "web@*,db.service",
                "region=eu",
                "yes, invited until " + LocalTimes.of("2026-03-01T10:00:00Z"),
                "user root"),
            List.of("user:bob", "viewer", "all", "all", "-", "-"));
    assertThat(run("access", "-o", "name").out()).isEqualTo("person:alice\nuser:bob\n");
    assertThat(run("access", "list", "-o", "json").out())
        .isEqualTo("[\n" + ALICE + ",\n{\"subject\":\"user:bob\",\"role\":\"viewer\"}\n]\n");
    assertThat(run("access", "revoke", "alice", "--sort=role").code()).isEqualTo(2);
  }

  @Test
  void aGrantIsGivenAndTakenAway() {
    Ran granted =
        run("access", "grant", "alice", "--role=operator", "--unit=web@*", "--machines=region=eu");
    assertThat(granted).isEqualTo(new Ran(0, "Granted operator to alice\n", ""));
    assertThat(asked.getLast())
        .isEqualTo(
            "PUT /fleet/v1/access/alice {\"role\":\"operator\",\"units\":[\"web@*\"],"
                + "\"metadata\":{\"region\":\"eu\"}}");
    assertThat(run("access", "revoke", "alice").code()).isZero();
    Ran none = run("access", "revoke", "nobody");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("nobody has no grant.");
  }

  /** A script takes the command from standard output, and runs it elsewhere. */
  @Test
  void anInvitationPrintsTheCommandForTheLaptop() {
    Ran ran = run("access", "invite", "alice", "--role=operator", "--unit=web@*", "--ttl=30m");
    assertThat(ran.out()).isEqualTo("fleetctl login 10.0.0.1:50060 FLEET-LOGIN-1-x\n");
    assertThat(ran.err())
        .startsWith(
            "invitation i1 of alice, valid until " + LocalTimes.of("2026-03-01T10:00:00Z") + ":");
    assertThat(asked.getLast())
        .isEqualTo(
            "POST /fleet/v1/access/alice/invite {\"role\":\"operator\",\"units\":[\"web@*\"],"
                + "\"ttlSeconds\":1800}");
    assertThat(run("access", "invite", "alice").code()).isZero();
    assertThat(asked.getLast()).isEqualTo("POST /fleet/v1/access/alice/invite {}");
  }

  @Test
  void aCheckSaysByWhichGrantAndItsExitCodeIsForScripts() {
    assertThat(run("access", "check", "alice", "start", "web@1.service"))
        .isEqualTo(new Ran(0, "yes: the role operator, by a grant to person:alice\n", ""));
    assertThat(run("access", "check", "alice", "tokens"))
        .isEqualTo(
            new Ran(1, "no: that needs the role operator, and person:alice has no role\n", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "access grant alice                              | --role is missing",
        "access grant --role=admin                       | expect fleetctl access grant SUBJECT",
        "access grant alice --role=admin --machines=eu   | expect KEY=VALUE",
        "access grant alice --role=root                  | --role is viewer, operator or admin, not",
        "access list --role=admin                        | are for grant and invite",
        "access grant alice --role=admin --ttl=1h        | --ttl is for invite",
        "access invite alice --unit=web@*                | --role is missing",
        "access invite alice --ttl=soon                  | is not a duration",
        "access check alice                              | expect fleetctl access check",
        "access give alice                               | expect list, grant, invite, revoke or check",
      })
  void wrongCallsAreUsageErrors(String call, String message) {
    Ran ran = run(call.split(" +"));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(message);
  }
}
