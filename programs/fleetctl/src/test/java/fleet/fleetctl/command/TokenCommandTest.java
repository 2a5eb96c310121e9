package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import fleet.fleetctl.output.Ages;
import fleet.fleetctl.output.LocalTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TokenCommandTest {

  @TempDir Path directory;
  private FakeDaemon daemon;

  @BeforeEach
  void begin() throws IOException {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private Ran run(String... arguments) {
    return new Terminal(directory, directory.resolve("fleet.sock")).run(arguments);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token",
        "token create",
        "token create --role=agent --ttl=7d",
        "token --uses=3 --machine=113f16a7"
      })
  void aTokenStandsAloneOnStandardOutput(String command) {
    Ran ran = run(command.split(" ", -1));

    assertThat(ran.out()).isEqualTo("FLEET-1-5a1f03c2\n");
    assertThat(ran.err())
        .isEqualTo(
            "token 5a1f03c2: role agent, until "
                + LocalTimes.of("2026-03-02T10:00:00Z")
                + ". Put join=10.0.0.1 and token=TOKEN"
                + " into /etc/fleet/fleet.conf of the machine that is to join, then run there:"
                + " systemctl restart fleet\n");
    assertThat(ran.code()).isZero();
  }

  @Test
  void onATerminalItIsTheTwoLinesForTheConfiguration() {
    Ran ran = new Terminal(directory, directory.resolve("fleet.sock")).forPeople().run("token");

    assertThat(ran.out()).isEqualTo("join=10.0.0.1\ntoken=FLEET-1-5a1f03c2\n");
    assertThat(ran.err()).contains("Put these two lines into /etc/fleet/fleet.conf");
  }

  @Test
  void tokensAreListedWithoutSecrets() {
    Ran ran = run("token", "list");
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out().lines().map(line -> line.replaceAll("\t+", " | ")))
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("ID | ROLE | EXPIRES | USED | BY | MACHINES"),
            line ->
                assertThat(line)
                    .matches(
                        "0a0b0c0d \\| agent \\| expired [0-9]+d ago \\| 0 \\| user root \\| -"),
            line ->
                assertThat(line)
                    .matches(
                        "5a1f03c2 \\| agent \\| 2999-03-02 [0-9:]{8} \\| 1 of 2 \\| user root"
                            + " \\| [0-9a-f]{8}\\.\\.\\."));
    assertThat(run("token", "list", "--no-legend").out()).startsWith("0a0b0c0d\t");
    assertThat(run("token", "list", "-o", "name", "--sort=-expires").out())
        .isEqualTo("5a1f03c2\n0a0b0c0d\n");
    assertThat(run("token", "list", "-o", "jsonpath={[1].expires}").out())
        .isEqualTo("2999-03-02T10:00:00Z\n");
    assertThat(run("token", "list", "-l", "--fields=machines", "--no-legend").out())
        .isEqualTo("-\n" + FakeDaemon.MACHINE + "\n");
    assertThat(run("token", "revoke", "5a1f03c2", "-o", "json").code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-02T10:00:00Z, expired 0s ago",
    "2026-03-02T09:59:01Z, expired 59s ago",
    "2026-03-02T09:00:01Z, expired 59m ago",
    "2026-03-01T10:00:01Z, expired 23h ago",
    "2026-02-27T09:00:00Z, expired 3d ago",
    "whenever, whenever",
  })
  void aTokenThatHasExpiredSaysSo(String expires, String text) {
    String later = "2026-03-02T10:00:01Z";
    assertThat(Ages.expiry(later, Instant.parse("2026-03-02T10:00:00Z")))
        .isEqualTo(LocalTimes.of(later));
    assertThat(Ages.expiry(expires, Instant.parse("2026-03-02T10:00:00Z"))).isEqualTo(text);
  }

  @Test
  void tokensAreRevokedById() {
    assertThat(run("token", "revoke", "5a1f03c2", "ffffffff"))
        .isEqualTo(new Ran(1, "Revoked token 5a1f03c2\n", "Token ffffffff does not exist.\n"));
    assertThat(run("token", "revoke", "5a1f03c2").code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "token delete|unknown action \"delete\": expect create, list or revoke",
        "token list x|unexpected argument: x",
        "token create x|unexpected argument: x",
        "token revoke|expect fleetctl token revoke ID...",
        "token --role=king|--role is agent or server, not \"king\"",
        "token --ttl=1y|is not a duration: write one such as 10s",
        "token list --ttl=1h|--ttl is for create, not for list",
        "token revoke 5a1f03c2 --role=agent|--role is for create, not for revoke",
        "token list --uses=2|--uses is for create, not for list",
        "token list --machine=m|--machine is for create, not for list",
        "token --uses=many|many",
        "token --ttl=1h30|is not a duration",
        "token --ttl=h|is not a duration",
        "token --ttl=-1h|is not a duration",
        "token --ttl=99999999999s|is not a duration",
        "token --ttl=367d|at most 366 days",
      })
  void aWrongCallSaysWhatIsExpected(String command, String text) {
    Ran ran = run(command.split(" ", -1));

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(text).contains("fleetctl token --help");
  }

  @Test
  void anOlderFleetdHasNoTokens() throws Exception {
    daemon.close();
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), false, FakeDaemon::obedient);

    for (String action : new String[] {"create", "list"}) {
      assertThat(run("token", action).err()).contains("knows no join tokens: upgrade it");
    }
    assertThat(run("token", "revoke", "5a1f03c2").err()).contains("knows no join tokens");
  }
}
