package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ListingOptionsTest {

  private static final String UNIT =
      "[Unit]\nDescription=A unit\n\n[Service]\nExecStart=/bin/true\n";

  @TempDir Path directory;
  private FakeDaemon daemon;

  @BeforeEach
  void begin() throws Exception {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
    for (String unit : new String[] {"app@1", "app@2", "app@10", "web"}) {
      daemon.add(unit + ".service", UNIT, "launched");
    }
    daemon.add("idle.service", UNIT, "inactive");
    daemon.state("app@2.service", "failed", "failed", "exit-code");
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private Ran run(String call) {
    return new Terminal(directory, directory.resolve("fleet.sock")).run(call.split(" "));
  }

  private String names(String call) {
    Ran ran = run(call + " -o name");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    return ran.out().replace(".service", "").replace('\n', ' ').strip();
  }

  @ParameterizedTest
  @CsvSource({
    "list-units, app@1 app@10 app@2 web",
    "list-units app@*, app@1 app@10 app@2",
    "list-units app@?.service web, app@1 app@2 web",
    "list-units web.service, web",
    "list-units --failed, app@2",
    "list-units --state=failed, app@2",
    "'list-units --state=failed,running app@[12]*', app@1 app@10 app@2",
    "list-units --machine=node1, app@1 app@10 app@2 web",
    "'list-units --selector=region=eu,disk!=hdd', app@1 app@10 app@2 web",
    "list-units --selector=region=us, ''",
    "list-units --sort=unit, app@1 app@2 app@10 web",
    "'list-units --sort=-active,-unit', app@2 web app@10 app@1",
    "list-units nothing*, ''",
    "list-unit-files, app@1 app@10 app@2 idle web",
    "list-unit-files i* web, idle web",
    "list-unit-files --state=inactive, idle",
    "list-unit-files --machine=113f, app@1 app@10 app@2 web",
    "list-unit-files --sort=dstate --state=inactive, idle"
  })
  void unitsAreChosenAndSorted(String call, String units) {
    assertThat(names(call)).isEqualTo(units);
  }

  @Test
  void patternsAndNamesGoToFleetd() {
    run("list-units web app@* --no-legend");
    run("list-unit-files app@* --no-legend --fields=unit");

    assertThat(daemon.requests())
        .containsSubsequence(
            "GET /fleet/v1/state?match=web.service&match=app@%2A&limit=1000&stale=1",
            "GET /fleet/v1/units?match=app@%2A&limit=1000&stale=1");
  }

  @Test
  void aNameThatIsNotThereIsAnErrorAndAPatternIsNot() {
    assertThat(run("list-units nosuch web --no-legend --fields=unit"))
        .isEqualTo(new Ran(1, "web.service\n", "Unit nosuch.service does not exist.\n"));
    assertThat(run("list-unit-files nosuch --no-legend"))
        .isEqualTo(new Ran(1, "", "Unit nosuch.service does not exist.\n"));
    assertThat(run("list-units nosuch*")).isEqualTo(new Ran(0, "UNIT\tMACHINE\tACTIVE\tSUB\n", ""));
    assertThat(run("list-units idle --no-legend"))
        .isEqualTo(
            new Ran(0, "", "Unit idle.service is on no machine: see fleetctl why idle.service\n"));
  }

  @Test
  void moreColumnsAreShownWhenAsked() {
    assertThat(run("list-units -o wide web").out())
        .matches(
            """
            UNIT\t+MACHINE\t+LOAD\tACTIVE\tSUB\tSINCE\tRESTARTS\tHASH
            web.service\t113f16a7.../10.0.0.3\tloaded\tactive\trunning\t-\t0\t\t[0-9a-f]{7}
            """);
    assertThat(run("list-unit-files -o wide web").out())
        .startsWith("UNIT\t\tHASH\tDSTATE\t\tSTATE\t\tTARGET\t\t\tREQUIRE\tDESC\n");
    assertThat(run("list-units -o wide --fields=unit web").out()).isEqualTo("UNIT\nweb.service\n");
  }

  @Test
  void jsonIsAnArrayOfTheEntitiesOfTheApi() {
    assertThat(run("list-units web app@2 -o json").out())
        .startsWith("[\n{\"hash\":\"")
        .contains("\"name\":\"app@2.service\",\"systemdActiveState\":\"failed\"")
        .contains("},\n{")
        .endsWith("}\n]\n");
    assertThat(run("list-units nosuch* -o json").out()).isEqualTo("[]\n");
    assertThat(run("list-unit-files web -o json").out())
        .contains("\"desiredState\":\"launched\"", "\"options\":[{");
  }

  @Test
  void yamlAndJsonpathAreMadeOfTheSame() {
    assertThat(run("list-unit-files web -o yaml").out())
        .startsWith("- currentState: launched\n  desiredState: launched\n  machineID: ");
    assertThat(run("list-units app* -o jsonpath={[*].name}").out())
        .isEqualTo("app@1.service app@10.service app@2.service\n");
    assertThat(
            run("list-units -o jsonpath={range[*]}{.name}{\"\\n\"}{end} --sort=unit --state=active")
                .out())
        .isEqualTo("app@1.service\napp@10.service\nweb.service\n");
  }

  @ParameterizedTest
  @CsvSource({
    "list-units -o jsn, unknown format \"jsn\": expect table",
    "list-units -o jsonpath={.a, invalid jsonpath at character",
    "list-units --sort=foo, cannot sort by \"foo\": there are unit",
    "list-units --state=faild, unknown state \"faild\": there are activating",
    "list-unit-files --state=active, unknown state \"active\": there are inactive",
    "'list-units --selector=a=b,', invalid selector",
    "list-units [x, malformed pattern",
    "list-units -o json --fields=unit, --fields chooses the columns of tables"
  })
  void callsThatAreWrongExit2BeforeFleetdIsAsked(String call, String problem) {
    Ran ran = run(call);

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).startsWith("Error: ").contains(problem);
    assertThat(daemon.requests()).isEmpty();
  }

  @Test
  void aMachineThatIsNotThereIsAnError() {
    assertThat(run("list-units --machine=zzz"))
        .isEqualTo(
            new Ran(
                1,
                "",
                "Error: no machine is called \"zzz\": there is node1.example (113f16a7...)\n"));
  }

  private String onTerminal(int columns, String call) {
    return new Terminal(directory, directory.resolve("fleet.sock"))
        .ofSize(24, columns)
        .run(call.split(" "))
        .out();
  }

  @Test
  void aTerminalGetsColumnsThatFitIt() throws Exception {
    daemon.add("a-name-of-a-unit-that-is-not-short-x.service", UNIT, "launched");

    assertThat(onTerminal(80, "list-units a-* web"))
        .isEqualTo(
            """
            UNIT                                          MACHINE     ACTIVE  SUB      SINCE
            a-name-of-a-unit-that-is-not-short-x.service  node1.exa…  active  running  -
            web.service                                   node1.exa…  active  running  -
            Columns are shortened to fit. All of them: -o wide
            """);
    for (String list : new String[] {"list-units app@*", "list-unit-files app@*"}) {
      assertThat(onTerminal(80, list).lines()).allMatch(line -> line.length() <= 80);
      assertThat(onTerminal(50, list)).contains("  node1.e", "…", "-o wide");
    }
    assertThat(onTerminal(40, "list-units -l a-*"))
        .contains(FakeDaemon.MACHINE + "/10.0.0.3  active  running  -\n");
    assertThat(onTerminal(40, "list-units -o wide web")).contains("node1.example  loaded");
  }

  @Test
  void scriptsUnderATerminalGetTheFormOfFleet1() {
    for (String call :
        new String[] {
          "list-units --no-legend", "list-units --fields=unit,machine", "list-units -o json"
        }) {
      assertThat(onTerminal(40, call)).isEqualTo(run(call).out());
    }
  }
}
