package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import fleet.testkit.SharedMachines;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** fleetctl does the same wherever it is called from: in a terminal, by cron, over ssh. */
@ExtendWith(MachinesExtension.class)
@Execution(ExecutionMode.CONCURRENT)
class SurroundingsTest {

  /** Written so that the host that runs the tests need not know the letter. */
  private static final String FOLDER = "$(printf '/srv/\\303\\274bung')";

  private static final String FLEETCTL = "/opt/fleet/bin/fleetctl";

  private static FleetMachine fleet;

  @BeforeAll
  static void server(SharedMachines machines) {
    fleet = machines.server();
  }

  private static Result shell(String script) {
    return fleet.machine().run("sh", "-c", script);
  }

  private static void unit(String name) {
    shell(
            "mkdir -p \"%s\" && printf '[Service]\\nExecStart=/bin/sleep infinity\\n' >\"%s/%s\""
                .formatted(FOLDER, FOLDER, name))
        .orThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"LC_ALL=C", "LC_ALL=POSIX", "LC_ALL=", "LC_ALL=de_DE.ISO-8859-1", "X="})
  void aFileIsFoundInEveryLocale(String locale) {
    String name = "in-%s.service".formatted(locale.replace('=', '-').toLowerCase(Locale.ROOT));
    unit(name);

    shell("env -i %s %s start \"%s/%s\"".formatted(locale, FLEETCTL, FOLDER, name)).orThrow();
    shell("cd \"%s\" && env -i %s %s restart %s".formatted(FOLDER, locale, FLEETCTL, name))
        .orThrow();

    fleet.awaitState(name, "active running");
  }

  @Test
  void anArgumentIsStoredAsItWasWritten() {
    unit("asks.service");

    shell(
            "env -i LC_ALL=C %s start --no-block --require \"MachineMetadata=ort=$(printf 'K\\303\\266ln')\" \"%s/asks.service\""
                .formatted(FLEETCTL, FOLDER))
        .orThrow();

    shell("%s why asks.service | grep -F \"$(printf 'K\\303\\266ln')\"".formatted(FLEETCTL))
        .orThrow();
  }

  @Test
  void aDirectoryThatHasBeenRemovedIsNamed() {
    Result ran =
        shell(
            "mkdir /srv/removed && cd /srv/removed && rmdir /srv/removed && %s list-machines"
                .formatted(FLEETCTL));

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.stderr())
        .endsWith(
            "Error: the current directory does not exist any more: change to another, such as cd"
                + " /");
  }

  @Test
  void aPathThatIsNotUtf8IsNamed() {
    Result ran = shell("%s submit \"$(printf '/srv/d\\344/b.service')\"".formatted(FLEETCTL));

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.stderr())
        .contains("a byte of the path is not UTF-8: rename it, or run fleetctl in its directory");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "JAVA_TOOL_OPTIONS=-Xmx9m",
        "_JAVA_OPTIONS=-Dfile.encoding=ISO-8859-1",
        "JDK_JAVA_OPTIONS=-Xmx9m",
        "CLASSPATH=/nowhere",
        "CDPATH=/opt/fleet",
        "PATH=/nowhere",
        "TMPDIR=/nowhere",
        "HOME=/nowhere",
        "TERM=nonsense",
        "TZ=Nowhere/Nothing",
      })
  void otherPeoplesVariablesChangeNothing(String variable) {
    Result plain = shell("%s list-machines".formatted(FLEETCTL)).orThrow();

    Result ran =
        shell("cd /opt/fleet && env -i %s bin/fleetctl list-machines".formatted(variable))
            .orThrow();

    assertThat(ran.stdout()).isEqualTo(plain.stdout());
    assertThat(ran.stderr()).isEmpty();
  }
}
