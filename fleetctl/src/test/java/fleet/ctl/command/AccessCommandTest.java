package fleet.ctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.ctl.command.Terminal.Ran;
import fleet.ctl.fake.FakeHttpServer;
import fleet.ctl.fake.FakeHttpServer.Request;
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
          + "\"metadata\":{\"region\":\"eu\"},\"by\":\"user root\"}";

  private final List<String> asked = new CopyOnWriteArrayList<>();

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    asked.add(request.method() + " " + request.path() + " " + request.body());
    if (request.path().endsWith("/access/check")) {
      return request.body().contains("start")
          ? FakeHttpServer.reply(
              out, 200, "{\"allowed\":true,\"grant\":\"operator of person:alice\"}")
          : FakeHttpServer.reply(out, 200, "{\"allowed\":false,\"because\":\"it has no grant\"}");
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
            List.of("SUBJECT", "ROLE", "UNITS", "MACHINES", "BY"),
            List.of("person:alice", "operator", "web@*,db.service", "region=eu", "user root"),
            List.of("user:bob", "viewer", "all", "all", "-"));
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

  @Test
  void aCheckSaysByWhichGrantAndItsExitCodeIsForScripts() {
    assertThat(run("access", "check", "alice", "start", "web@1.service"))
        .isEqualTo(new Ran(0, "yes: operator of person:alice\n", ""));
    assertThat(run("access", "check", "alice", "tokens"))
        .isEqualTo(new Ran(1, "no: it has no grant\n", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "access grant alice                              | --role is missing",
        "access grant --role=admin                       | expect fleetctl access grant SUBJECT",
        "access grant alice --role=admin --machines=eu   | expect KEY=VALUE",
        "access list --role=admin                        | are for grant",
        "access check alice                              | expect fleetctl access check",
        "access give alice                               | expect list, grant, revoke or check",
      })
  void wrongCallsAreUsageErrors(String call, String message) {
    Ran ran = run(call.split(" +"));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(message);
  }
}
