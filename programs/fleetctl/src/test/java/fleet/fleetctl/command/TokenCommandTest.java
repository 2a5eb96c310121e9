package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
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
            "token 5a1f03c2: role agent, until 2026-03-02T10:00:00Z. Put join=10.0.0.1 and token=TOKEN"
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
                        "5a1f03c2 \\| agent \\| 2999-03-02T10:00:00Z \\| 1 of 2 \\| user root"
                            + " \\| [0-9a-f]{8}\\.\\.\\."));
    assertThat(run("token", "list", "--no-legend").out()).startsWith("0a0b0c0d\t");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-02T10:00:01Z, 2026-03-02T10:00:01Z",
    "2026-03-02T10:00:00Z, expired 0s ago",
    "2026-03-02T09:59:01Z, expired 59s ago",
    "2026-03-02T09:00:01Z, expired 59m ago",
    "2026-03-01T10:00:01Z, expired 23h ago",
    "2026-02-27T09:00:00Z, expired 3d ago",
    "whenever, whenever",
  })
  void aTokenThatHasExpiredSaysSo(String expires, String text) {
    assertThat(TokenExpiry.text(expires, Instant.parse("2026-03-02T10:00:00Z"))).isEqualTo(text);
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
        "token --ttl=1y|\"1y\" is no time: expect one such as 90s, 30m, 1h30m, 24h or 7d",
        "token list --ttl=1h|--ttl is for create, not for list",
        "token revoke 5a1f03c2 --role=agent|--role is for create, not for revoke",
        "token list --uses=2|--uses is for create, not for list",
        "token list --machine=m|--machine is for create, not for list",
        "token --uses=many|many",
        "token --ttl=1h30|\"1h30\" is no time",
        "token --ttl=h|\"h\" is no time",
        "token --ttl=-1h|\"-1h\" is no time",
        "token --ttl=99999999999s|is no time",
        "token --ttl=367d|at most 366 days",
      })
  void aWrongCallSaysWhatIsExpected(String command, String text) {
    Ran ran = run(command.split(" ", -1));

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(text).contains("fleetctl token --help");
  }

  @Test
  void timesHaveUnits() throws Exception {
    assertThat(Lifetime.seconds("90s")).isEqualTo(90);
    assertThat(Lifetime.seconds("30m")).isEqualTo(1800);
    assertThat(Lifetime.seconds("1h30m")).isEqualTo(5400);
    assertThat(Lifetime.seconds("24h")).isEqualTo(86_400);
    assertThat(Lifetime.seconds("7d")).isEqualTo(604_800);
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
