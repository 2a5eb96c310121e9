package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import fleet.core.testing.Await;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** fleetd that cannot start, started by systemd's own tool when its first client comes. */
class RefusalServerTest {

  private static final Path TOOL = Path.of("/usr/bin/systemd-socket-activate");

  @TempDir Path directory;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void requireTool() {
    if (!Files.isExecutable(TOOL)) {
      String missing = TOOL + " is missing: install the package systemd";
      if (System.getenv("CI") != null) {
        fail(missing);
      }
      abort(missing);
    }
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aMistakeInTheConfigurationIsToldToClients() throws Exception {
    Process fleetd = start(Main.class, "token_limit=0");

    String answer = ask();

    assertThat(answer)
        .startsWith("HTTP/1.1 503 ")
        .contains("Fleet-Refused: 1")
        .doesNotContain("Retry-After")
        .contains(
            "fleetd on this machine cannot start: "
                + directory.resolve("fleet.conf")
                + ":1: token_limit: \\\"0\\\" is not valid, expected a whole number from 1 to 65535;"
                + " correct it, then run: systemctl restart fleet");
    assertThat(fleetd.waitFor()).isEqualTo(2);
  }

  @Test
  void aMistakeInTheCallIsToldToClients() throws Exception {
    Process fleetd = start(Main.class, "", "--joyn=10.0.0.1");

    assertThat(ask()).contains("Fleet-Refused: 1").contains("--joyn=10.0.0.1 is not an option");
    assertThat(fleetd.waitFor()).isEqualTo(2);
  }

  /** The API has had the sockets, and closed them, by then. */
  @Test
  void clientsAreToldOfATokenThatIsRefusedLater() throws Exception {
    Process fleetd = start(Main.class, "join=127.0.0.1:1\ntoken=FLEET-1-abc");

    assertThat(ask())
        .contains("Fleet-Refused: 1")
        .contains("cannot start: the token is not whole: take all of what");
    assertThat(fleetd.waitFor()).isEqualTo(2);
  }

  @Test
  void clientsWaitForAFleetdThatMayStartTheNextTime() throws Exception {
    Process fleetd = start(Failing.class, "");

    assertThat(ask())
        .startsWith("HTTP/1.1 503 ")
        .contains("Retry-After: 1")
        .doesNotContain("Fleet-Refused")
        .contains("cannot start: the disk is full: make room; systemd tries again");
    assertThat(fleetd.waitFor()).isEqualTo(1);
  }

  /** The answer of the fleetd that this very request starts. */
  private String ask() throws InterruptedException {
    return Await.value(this::answer, answer -> !answer.isEmpty());
  }

  private String answer() {
    try {
      String answer = ApiSocket.get(directory.resolve("fleet.sock"), "/fleet/v1/machines");
      // Put off by the API that closes before the reason is known.
      return answer.contains("has not joined its cluster yet") ? "" : answer;
    } catch (ConnectException | NoSuchFileException notYet) {
      return "";
    } catch (IOException e) {
      // Cut off by the API that closes before the reason is known.
      return "";
    }
  }

  private Process start(Class<?> main, String configuration, String... more) throws IOException {
    Path file = directory.resolve("fleet.conf");
    Files.writeString(
        file,
        """
        %2$s
        data_directory=%1$s/data
        runtime_directory=%1$s/run
        units_directory=%1$s/run/units
        public_ip=192.0.2.1
        """
            .formatted(directory, configuration));
    List<String> command =
        new ArrayList<>(
            List.of(
                TOOL.toString(),
                "--listen=" + directory.resolve("fleet.sock"),
                "--setenv=NOTIFY_SOCKET=" + directory.resolve("notify"),
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                "-config",
                file.toString()));
    command.addAll(List.of(more));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(Map.of("PATH", "/usr/bin:/bin"));
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** A program whose parts cannot start now. */
  static final class Failing {
    public static void main(String[] arguments) {
      System.exit(
          new Fleetd(System.getenv(), System.out, System.err, Failing::start).run(arguments));
    }

    private static RunningDaemon start(StartupInputs startup) throws FatalException {
      throw new FatalException("the disk is full: make room");
    }
  }
}
