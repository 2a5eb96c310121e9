package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.UnitEntity;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Timers, sockets and paths bring the units that they start. */
final class TriggeredUnitsTest {

  private static final String ON = " on 113f16a7.../10.0.0.3\n";
  private static final String SERVICE = "[Service]\nExecStart=/bin/true\n";
  private static final String TIMER = "[Timer]\nOnBootSec=1\n";
  private static final String SOCKET = "[Socket]\nListenStream=80\n";
  private static final String REGION = "[X-Fleet]\nMachineMetadata=region=eu\n";

  @TempDir Path directory;
  private FakeDaemon daemon;
  private Terminal terminal;

  @BeforeEach
  void begin() throws IOException {
    begin(true);
  }

  private void begin(boolean modern) throws IOException {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), modern, FakeDaemon::obedient);
    terminal = new Terminal(directory, directory.resolve("fleet.sock"));
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private String desired(String name) {
    return daemon.unit(name).map(UnitEntity::desiredState).orElse("absent");
  }

  private List<String> asked(String name) {
    return daemon.unit(name).orElseThrow().require();
  }

  @Test
  void aTimerBringsTheServiceBesideIt() throws Exception {
    Files.createDirectory(directory.resolve("units"));
    terminal.write("units/x.timer", TIMER);
    terminal.write("units/x.service", SERVICE);

    Ran ran = terminal.run("start", "units/x.timer");

    assertThat(ran)
        .isEqualTo(
            new Ran(
                0,
                "Unit x.service is loaded too: x.timer starts it\n"
                    + "Unit x.timer goes to the machine of x.service\n"
                    + "Unit x.service inactive\n"
                    + "Unit x.timer inactive\n"
                    + ("Unit x.service loaded" + ON)
                    + ("Unit x.timer launched" + ON),
                ""));
    assertThat(desired("x.service")).isEqualTo("loaded");
    assertThat(asked("x.service")).isEmpty();
    assertThat(asked("x.timer")).containsExactly("MachineOf=x.service");
    assertThat(terminal.run("start", "units/x.timer")).isEqualTo(new Ran(0, "", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          x.path   | [Path]/PathExists=/run/x             | x.service
          x.socket | [Socket]/ListenFIFO=/run/x           | x.service
          x.timer  | [Timer]/OnBootSec=1/Unit=job.service | job.service
          x.socket | [Socket]/ListenFIFO=/run/x/Service=job.service | job.service
          x@1.timer | [Timer]/OnBootSec=1                 | x@1.service
          x@a.timer | [Timer]/OnBootSec=1/Unit=%p-%i.target | x-a.target
          """)
  void whatIsInTheClusterIsLoaded(String unit, String text, String started) throws Exception {
    daemon.add(started, SERVICE, "inactive");
    terminal.write(unit, text.replaceAll("/(?=[A-Z])", "\n").replace("]/", "]\n") + "\n");

    Ran ran = terminal.run("load", unit);

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("Unit " + started + " is loaded too: " + unit + " starts it");
    assertThat(ran.err()).isEmpty();
    assertThat(desired(started)).isEqualTo("loaded");
    assertThat(desired(unit)).isEqualTo("loaded");
    assertThat(asked(unit)).containsExactly("MachineOf=" + started);
  }

  @Test
  void instancesComeFromTemplates() throws Exception {
    daemon.add("x@.timer", TIMER, "inactive");
    terminal.write("x@.service", SERVICE);

    Ran ran = terminal.run("start", "x@1.timer", "x@2.timer");

    assertThat(ran.code()).isZero();
    assertThat(desired("x@1.service")).isEqualTo("loaded");
    assertThat(asked("x@2.timer")).containsExactly("MachineOf=x@2.service");
  }

  @Test
  void aTimerMayStartASocketThatStartsAService() throws Exception {
    terminal.write("x.timer", TIMER + "Unit=y.socket\n");
    terminal.write("y.socket", "[Socket]\nListenFIFO=/run/y\n");
    terminal.write("y.service", SERVICE);

    assertThat(terminal.run("load", "x.timer").code()).isZero();

    assertThat(asked("x.timer")).containsExactly("MachineOf=y.socket");
    assertThat(asked("y.socket")).containsExactly("MachineOf=y.service");
    assertThat(desired("y.service")).isEqualTo("loaded");
  }

  /** systemd listens on no socket whose service is not loaded. */
  @Test
  void theUnitThatIsStartedIsPlacedFirstWhereBothMayBe() throws Exception {
    terminal.write("x.socket", SOCKET + REGION);
    terminal.write("x.service", SERVICE);
    terminal.write("y.socket", SOCKET.replace("80", "81"));
    terminal.write("y.service", SERVICE + REGION);

    Ran ran = terminal.run("start", "x.socket", "y.socket");

    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("Unit x.service goes where x.socket has to be: MachineMetadata=region=eu\n");
    assertThat(asked("x.service")).containsExactly("MachineMetadata=region=eu");
    assertThat(asked("x.socket")).containsExactly("MachineOf=x.service");
    assertThat(asked("y.socket")).containsExactly("MachineOf=y.service");
    assertThat(asked("y.service")).isEmpty();
  }

  @Test
  void allThatStartOneUnitAreOnItsMachine() throws Exception {
    terminal.write("x.socket", SOCKET);
    terminal.write("x.timer", TIMER + REGION);
    terminal.write("x.path", "[Path]\nPathExists=/run/x\n");
    terminal.write("x.service", SERVICE);

    assertThat(terminal.run("start", "x.socket", "x.timer", "x.path").code()).isZero();

    assertThat(asked("x.socket")).containsExactly("MachineOf=x.service");
    assertThat(asked("x.service")).containsExactly("MachineMetadata=region=eu");
    assertThat(asked("x.timer")).containsExactly("MachineOf=x.service");
    assertThat(asked("x.path")).containsExactly("MachineOf=x.service");
  }

  @Test
  void aServiceComesToTheTimerThatHasAMachine() throws Exception {
    daemon.add("x.timer", TIMER, "launched");
    terminal.write("x.service", SERVICE + REGION);

    Ran ran = terminal.run("start", "x.timer");

    assertThat(ran.out()).contains("Unit x.service goes to the machine of x.timer\n");
    assertThat(asked("x.service")).containsExactly("MachineOf=x.timer");
    assertThat(asked("x.timer")).isEmpty();
  }

  @Test
  void aServiceThatIsNamedTooIsStarted() throws Exception {
    terminal.write("x.timer", TIMER);
    terminal.write("x.service", SERVICE);

    Ran ran = terminal.run("start", "x.timer", "x.service");

    assertThat(ran.out()).doesNotContain("loaded too");
    assertThat(desired("x.service")).isEqualTo("launched");
    assertThat(asked("x.timer")).containsExactly("MachineOf=x.service");
  }

  @Test
  void inADirectoryOnlyWhatStartsItIsStarted() throws Exception {
    Files.createDirectory(directory.resolve("units"));
    terminal.write("units/x.timer", TIMER);
    terminal.write("units/x.service", SERVICE);
    terminal.write("units/y.service", SERVICE);

    Ran ran = terminal.run("start", "units/");

    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("Unit x.service is loaded too: x.timer starts it\n");
    assertThat(desired("x.service")).isEqualTo("loaded");
    assertThat(desired("x.timer")).isEqualTo("launched");
    assertThat(desired("y.service")).isEqualTo("launched");
    assertThat(terminal.run("start", "units/")).isEqualTo(new Ran(0, "", ""));
    assertThat(desired("x.service")).isEqualTo("loaded");
    terminal.write("units/x.service", SERVICE + "Nice=1\n");
    assertThat(terminal.run("start", "--replace", "units/").code()).isZero();
    assertThat(daemon.unit("x.service").orElseThrow().options()).hasSize(2);
    assertThat(desired("x.service")).isEqualTo("loaded");
  }

  @Test
  void standardInputBringsBoth() throws Exception {
    String both = "# unit: x.timer\n" + TIMER + "# unit: x.service\n" + SERVICE;

    assertThat(terminal.reading(both).run("start", "-").code()).isZero();
    assertThat(desired("x.service")).isEqualTo("loaded");
    assertThat(asked("x.timer")).containsExactly("MachineOf=x.service");

    Ran alone = terminal.reading("# unit: y.timer\n" + TIMER).run("start", "-");
    assertThat(alone.err())
        .contains("neither in the cluster nor in standard input. Nothing was changed.");
  }

  @Test
  void bothGetWhatTheCommandRequires() throws Exception {
    terminal.write("x.timer", TIMER);
    terminal.write("x.service", SERVICE);
    String[] command = {"load", "--require", "MachineMetadata=region=eu", "x.timer"};

    assertThat(terminal.run(command).code()).isZero();

    assertThat(asked("x.service")).containsExactly("MachineMetadata=region=eu");
    assertThat(asked("x.timer"))
        .containsExactly("MachineMetadata=region=eu", "MachineOf=x.service");
    assertThat(terminal.run(command)).isEqualTo(new Ran(0, "", ""));
    assertThat(asked("x.timer"))
        .containsExactly("MachineMetadata=region=eu", "MachineOf=x.service");
  }

  @ParameterizedTest
  @CsvSource({
    "MachineOf=x.service,",
    ", MachineOf=x.timer",
    "MachineID=11111111111111111111111111111111, MachineID=11111111111111111111111111111111"
  })
  void filesThatKeepThemTogetherAreEnough(String timer, String service) throws Exception {
    terminal.write("x.timer", TIMER + (timer == null ? "" : "[X-Fleet]\n" + timer + "\n"));
    terminal.write("x.service", SERVICE + (service == null ? "" : "[X-Fleet]\n" + service + "\n"));

    Ran ran = terminal.run("load", "x.timer");

    assertThat(ran.out())
        .contains("Unit x.service is loaded too: x.timer starts it\n")
        .doesNotContain("goes to the machine");
    assertThat(asked("x.timer")).isEmpty();
    assertThat(asked("x.service")).isEmpty();
  }

  @Test
  void oneWhoseUnitIsMissingIsNotStarted() throws Exception {
    terminal.write("x.timer", TIMER);

    Ran ran = terminal.run("start", "x.timer");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo(
            "Error creating units: x.timer is not started: it starts x.service, which is neither in"
                + " the cluster nor a file "
                + directory.resolve("x.service")
                + ". Nothing was changed. Add that unit, or if the machine has it already, run:"
                + " fleetctl load x.timer, and start it then\n");
    assertThat(desired("x.timer")).isEqualTo("absent");
  }

  @Test
  void oneThatIsLoadedStartsWhatItsMachineHas() throws Exception {
    terminal.write("x.timer", TIMER);
    terminal.run("load", "x.timer");

    Ran ran = terminal.run("start", "x.timer");

    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(desired("x.timer")).isEqualTo("launched");
  }

  @Test
  void aMissingOneIsNamed() throws Exception {
    terminal.write("x.timer", TIMER);

    Ran ran = terminal.run("load", "--strict", "x.timer");

    assertThat(ran.code()).isZero();
    assertThat(ran.err())
        .isEqualTo(
            "WARN Unit x.timer: it starts x.service, which is neither in the cluster nor a file "
                + directory.resolve("x.service")
                + ": load it too, unless its machine has it already\n");
    assertThat(asked("x.timer")).isEmpty();
  }

  @Test
  void noTemplateIsPlacedForASocketThatAccepts() throws Exception {
    terminal.write("x.socket", SOCKET + "Accept=yes\n");
    terminal.write("x@.service", SERVICE);

    Ran ran = terminal.run("start", "x.socket");

    assertThat(ran.code()).isZero();
    assertThat(ran.err()).contains("fleet places no templates").hasLineCount(1);
    assertThat(desired("x@.service")).isEqualTo("absent");
  }

  @Test
  void globalOnesNeedNothingButTheirPlaces() throws Exception {
    daemon.add("x.service", SERVICE + "[X-Fleet]\nGlobal=true\n", "inactive");
    terminal.write("x.timer", TIMER + "[X-Fleet]\nGlobal=true\n");

    assertThat(terminal.run("start", "--no-block", "x.timer").code()).isZero();

    assertThat(desired("x.service")).isEqualTo("loaded");
    assertThat(asked("x.timer")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x.timer", "x.service"})
  void oneThatIsGlobalAndOneThatIsNotAreAMistake(String global) throws Exception {
    String everywhere = "[X-Fleet]\nGlobal=true\n";
    terminal.write("x.timer", TIMER + (global.equals("x.timer") ? everywhere : ""));
    terminal.write("x.service", SERVICE + (global.equals("x.service") ? everywhere : ""));

    Ran strictly = terminal.run("load", "--strict", "x.timer");
    Ran ran = terminal.run("load", "--no-block", "x.timer");

    String said =
        "it starts x.service, and only "
            + global
            + " is global: write Global=true in both files, or in none";
    assertThat(strictly)
        .isEqualTo(new Ran(1, "", "Error creating units: unit x.timer: " + said + " (--strict)\n"));
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEqualTo("WARN Unit x.timer: " + said + "\n");
    assertThat(desired("x.service")).isEqualTo("absent");
  }

  @Test
  void whatIsToBeApartIsNotKeptTogether() throws Exception {
    terminal.write("x.timer", TIMER + "[X-Fleet]\nConflicts=x.*\n");
    terminal.write("x.service", SERVICE);

    Ran ran = terminal.run("load", "x.timer");

    assertThat(ran.err())
        .isEqualTo(
            "WARN Unit x.timer: it starts x.service, and Conflicts= keeps the two on different"
                + " machines\n");
    assertThat(asked("x.timer")).isEmpty();
  }

  @Test
  void whatRunsElsewhereIsNotMoved() throws Exception {
    daemon.add("x.timer", TIMER, "launched");
    daemon.add("x.service", SERVICE, "loaded");
    daemon.moved("x.service", "2".repeat(32));

    Ran ran = terminal.run("start", "x.timer");

    assertThat(ran)
        .isEqualTo(
            new Ran(
                0,
                "",
                "WARN Unit x.timer: it is on machine 113f16a7... and starts x.service, which is on"
                    + " 22222222..., and neither is moved: unload x.timer, then start it again\n"));
    assertThat(asked("x.timer")).isEmpty();
  }

  @Test
  void anOlderTextInTheClusterIsReplacedOnRequest() throws Exception {
    daemon.add("x.service", SERVICE, "inactive");
    terminal.write("x.service", "[Service]\nExecStart=/bin/false\n");
    terminal.write("x.timer", TIMER);

    assertThat(terminal.run("submit", "x.timer").code()).isZero();
    assertThat(terminal.run("load", "x.timer").err()).contains("Add --replace to override");
    assertThat(terminal.run("unload", "x.timer", "x.service").code()).isZero();
    assertThat(terminal.run("load", "--replace", "x.timer").code()).isZero();

    assertThat(daemon.unit("x.service").orElseThrow().options().getFirst().value())
        .isEqualTo("/bin/false");
  }

  @Test
  void anOlderFleetdIsNamed() throws Exception {
    daemon.close();
    begin(false);
    terminal.write("x.timer", TIMER);
    terminal.write("x.service", SERVICE);

    Ran ran = terminal.run("start", "x.timer");

    assertThat(ran.code()).isZero();
    assertThat(ran.err())
        .contains("is too old to keep it on the machine of x.service", "write MachineOf=x.service");
    assertThat(desired("x.service")).isEqualTo("loaded");
  }
}
