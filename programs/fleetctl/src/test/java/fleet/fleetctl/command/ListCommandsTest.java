package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.AbsentMachineEntity;
import fleet.entities.MachineEntity;
import fleet.entities.PauseEntity;
import fleet.entities.ReschedulingEntity;
import fleet.entities.UnreportedEntity;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ListCommandsTest {

  private static final String UNIT =
      "[Unit]\nDescription=A unit\n\n[Service]\nExecStart=/bin/true\n";

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

  private static String lines(String... lines) {
    return String.join("\n", lines) + "\n";
  }

  @Test
  void listsMachines() {
    assertThat(run("list-machines"))
        .isEqualTo(
            new Ran(
                0, "MACHINE\t\tIP\t\tMETADATA\n113f16a7...\t10.0.0.3\tdisk=ssd,region=eu\n", ""));
    assertThat(run("list-mach", "-l", "--no-legend", "--fields=machine").out())
        .isEqualTo(FakeDaemon.MACHINE + "\n");
  }

  @Test
  void aTerminalShowsMachinesByTheirHostnamesAndWhatBecomesOfThem() {
    daemon.absent(
        new ReschedulingEntity(
            List.of(
                AbsentMachineEntity.of("0a1b2c3d4e5f", "held", 3),
                AbsentMachineEntity.of("1a1b2c3d4e5f", "cordoned", 0)),
            null));
    Terminal terminal = new Terminal(directory, directory.resolve("fleet.sock")).forPeople();
    assertThat(
            terminal
                .run("list-machines")
                .out()
                .lines()
                .map(line -> line.replaceAll(" {2,}", " | ")))
        .startsWith(
            "MACHINE | STATE | ROLE | UNITS | VERSION | ADDRESS | METADATA",
            "node1.example | ready | leader | 2 | 2.0.0 | 10.0.0.3 | disk=ssd,region=eu",
            "0a1b2c3d... | lost | - | 3 | - | - | -",
            "1a1b2c3d... | away | - | 0 | - | - | -");
    assertThat(terminal.run("list-machines", "--full").out()).contains(FakeDaemon.MACHINE);
    for (String option : List.of("--fields=machine", "--no-legend", "-o=name")) {
      assertThat(terminal.run("list-machines", option).out())
          .contains("113f16a7")
          .doesNotContain("node1.example", "0a1b2c3d... |");
    }
  }

  @Test
  void machinesThatAreLostOrHaveLeftStayInTheTableForPeople() {
    String then = Instant.now().minusSeconds(7300).toString();
    daemon.absent(
        new ReschedulingEntity(
            List.of(AbsentMachineEntity.of("0a1b2c3d4e5f", "lost", 3)),
            null,
            List.of(
                departed("0a1b2c3d4e5f", "node2", "lost", then),
                departed("1a1b2c3d4e5f", "node3", "left", then))));
    Terminal terminal = new Terminal(directory, directory.resolve("fleet.sock")).forPeople();
    assertThat(
            terminal
                .run("list-machines")
                .out()
                .lines()
                .map(line -> line.replaceAll(" {2,}", " | ")))
        .contains(
            "node2 | lost 2h | - | 3 | 2.0.4 | 10.0.0.9 | region=us",
            "node3 | left 2h | - | - | 2.0.4 | 10.0.0.9 | region=us");
    assertThat(run("list-machines").out()).doesNotContain("1a1b2c3d");
    assertThat(run("list-machines", "--all", "--no-legend").out().replaceAll("\t+", "\t"))
        .contains("region=eu\tready\n")
        .contains("0a1b2c3d...\t10.0.0.9\tregion=us\tlost\n");
    assertThat(run("list-machines", "--all", "--no-legend", "--fields=machine,state,since").out())
        .contains("0a1b2c3d...\tlost\t" + then, "1a1b2c3d...\tleft\t" + then);
    assertThat(run("list-machines", "-a", "-o", "json").out())
        .contains("\"state\":\"left\"", then, FakeDaemon.MACHINE);
  }

  private static MachineEntity departed(String id, String hostname, String state, String since) {
    return new MachineEntity(
        id,
        Map.of("region", "us"),
        "10.0.0.9",
        null,
        null,
        null,
        null,
        null,
        hostname,
        "x86_64",
        "2.0.4",
        "",
        null,
        state,
        null,
        since,
        null);
  }

  @Test
  void aTerminalShowsMachinesInTheOrderOfTheirHostnamesAndPipesByTheirIds() {
    daemon.others(new TreeMap<>(Map.of("2222aaaa", "node10", "3333aaaa", "node2")));
    Terminal terminal = new Terminal(directory, directory.resolve("fleet.sock")).forPeople();
    assertThat(
            terminal.run("list-machines").out().lines().map(line -> line.replaceAll("\\s.*", "")))
        .containsExactly("MACHINE", "node1.example", "node2", "node10");
    assertThat(run("list-machines", "--no-legend", "--fields=machine").out())
        .isEqualTo("113f16a7...\n2222aaaa\n3333aaaa\n");
  }

  /** Those that are named are shown even if they are absent. */
  @ParameterizedTest
  @CsvSource({
    "node1, 113f16a7...",
    "10.0.0.3, 113f16a7...",
    "'node?', '2222aaaa 3333aaaa'",
    "'node* 2222aaaa', '113f16a7... 2222aaaa 3333aaaa'",
    "'[0-3]*aaaa', '2222aaaa 3333aaaa'",
    "gone, 0a1b2c3d...",
    "'none*', ''"
  })
  void machinesAreChosenByNamesAndPatterns(String words, String machines) {
    daemon.others(new TreeMap<>(Map.of("2222aaaa", "node2", "3333aaaa", "node3")));
    daemon.absent(
        new ReschedulingEntity(
            List.of(),
            null,
            List.of(departed("0a1b2c3d4e5f", "gone", "lost", "2026-01-01T00:00:00Z"))));
    String[] call = ("list-machines --no-legend --fields=machine " + words).split(" ");
    Ran ran = run(call);
    assertThat(ran.code()).isZero();
    assertThat(String.join(" ", ran.out().lines().toList())).isEqualTo(machines);
  }

  @Test
  void aMachineThatIsNotThereIsNotListed() {
    Ran ran = run("list-machines", "node9");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .startsWith("Error: no machine is called \"node9\": there is node1.example");
  }

  @Test
  void machinesComeAsWhatOtherProgramsRead() {
    daemon.absent(
        new ReschedulingEntity(List.of(AbsentMachineEntity.of("0a1b2c3d4e5f", "lost", 3)), null));
    Ran json = run("list-machines", "-o", "json");
    assertThat(json.out())
        .startsWith("[\n{\"id\":\"" + FakeDaemon.MACHINE)
        .contains(
            "\"hostname\":\"node1.example\"", "\"leader\":true,\"state\":\"ready\",\"units\":2")
        .endsWith("}\n]\n");
    assertThat(json.err()).startsWith("Machine 0a1b2c3d... is lost");
    assertThat(run("list-machines", "-o", "name").out()).isEqualTo(FakeDaemon.MACHINE + "\n");
    assertThat(run("machines").out()).isEqualTo(run("list-machines").out());
  }

  @Test
  void showsWhatMachinesSayOfThemselves() {
    assertThat(run("list-machines", "--no-legend", "--fields=hostname,arch,version").out())
        .isEqualTo("node1.example\tx86_64\t2.0.0\n");
  }

  @Test
  void showsWhatMachinesHaveAndWhatOfItIsReserved() {
    assertThat(run("list-machines", "--no-legend", "--fields=machine,cores,memory,disk,tasks"))
        .isEqualTo(new Ran(0, "113f16a7...\t1.50/3.50/4\t512M/7.0G/8.0G\t0B/0B/1.0T\t-\n", ""));
  }

  @Test
  void namesMachinesThatAreMissedAndSaysThatReschedulingPauses() {
    daemon.absent(
        new ReschedulingEntity(
            List.of(
                AbsentMachineEntity.of("0a1b2c3d4e5f", "held", 3),
                AbsentMachineEntity.of("1a1b2c3d4e5f", "awaited", 1)),
            new PauseEntity(6, "3 of 6 machines vanished at once", "", "", 3)));
    String notes =
        lines(
            "RESCHEDULING IS PAUSED: 3 of 6 machines vanished at once",
            "Machine 0a1b2c3d... is lost: its units stay on it while rescheduling is paused (3 units).",
            "Machine 1a1b2c3d... is awaited: its units stay on it until it reports or is lost (1 unit).");
    assertThat(run("list-machines").out()).endsWith(notes);
    assertThat(run("list-machines", "--no-legend", "--fields=machine"))
        .isEqualTo(new Ran(0, "113f16a7...\n", notes));
    assertThat(run("resume"))
        .isEqualTo(
            new Ran(
                0,
                "Rescheduling is resumed: units of lost machines run elsewhere from now on.\n",
                ""));
    assertThat(run("resume")).isEqualTo(new Ran(0, "Rescheduling is not paused.\n", ""));
  }

  @Test
  void listsUnits() throws Exception {
    daemon.add("b.service", UNIT, "launched");
    daemon.add("a.service", UNIT, "loaded");

    assertThat(run("list-units"))
        .isEqualTo(
            new Ran(
                0,
                lines(
                    "UNIT\t\tMACHINE\t\t\tACTIVE\t\tSUB",
                    "a.service\t113f16a7.../10.0.0.3\tinactive\tdead",
                    "b.service\t113f16a7.../10.0.0.3\tactive\t\trunning"),
                ""));
  }

  @Test
  void saysWhichMachinesSayNothingOfTheirUnits() {
    daemon.unreported(
        List.of(
            UnreportedEntity.counted("113f16a7deadbeef", 2),
            UnreportedEntity.counted("223f16a7deadbeef", 1)));
    assertThat(run("list-units", "--no-legend"))
        .isEqualTo(
            new Ran(
                0,
                "",
                lines(
                    "Not listed: 2 units of machine 113f16a7..., which does not report them at the"
                        + " moment; see list-machines.",
                    "Not listed: 1 unit of machine 223f16a7..., which does not report it at the"
                        + " moment; see list-machines.")));
  }

  @Test
  void listsWhatWasKnownAndSaysSinceWhenThatMayBeOld() throws Exception {
    daemon.add("a.service", UNIT, "launched");
    daemon.staleSince("2026-03-01T10:00:00Z");
    String since =
        ZonedDateTime.ofInstant(Instant.parse("2026-03-01T10:00:00Z"), ZoneId.systemDefault())
            .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss"));
    String warning =
        "WARNING: the servers of fleet that can be asked have not reached etcd since "
            + since
            + ": the output below is from that time\n";
    assertThat(run("list-units", "--no-legend"))
        .isEqualTo(new Ran(0, "a.service\t113f16a7.../10.0.0.3\tactive\trunning\n", warning));
    assertThat(run("list-machines", "--no-legend", "--fields=machine"))
        .isEqualTo(new Ran(0, "113f16a7...\n", warning));
    assertThat(run("list-unit-files", "--no-legend", "--fields=unit"))
        .isEqualTo(new Ran(0, "a.service\n", warning));
  }

  @Test
  void whoGoesByWhatItIsToldTakesNothingOld() throws Exception {
    daemon.add("a.service", UNIT, "launched");
    daemon.staleSince("2026-03-01T10:00:00Z");
    for (String command : List.of("start", "stop", "unload", "destroy", "status")) {
      assertThat(run(command, "a.service").code()).isNotZero();
    }
    assertThat(daemon.requests()).noneMatch(request -> request.contains("stale"));
  }

  @Test
  void listsUnitFiles() throws Exception {
    daemon.add("a.service", UNIT, "launched");
    daemon.add("g.service", UNIT + "\n[X-Fleet]\nGlobal=true\n", "launched");
    daemon.add("s.service", "[Service]\nExecStart=/bin/true\n", "inactive");
    daemon.pageSize(2);

    Ran ran =
        run("list-unit-files", "--fields=unit,dstate,state,target,desc,global", "--no-legend");

    assertThat(ran.out())
        .isEqualTo(
            lines(
                "a.service\tlaunched\tlaunched\t113f16a7.../10.0.0.3\tA unit\tfalse",
                "g.service\tlaunched\t-\t\tglobal\t\t\tA unit\ttrue",
                "s.service\tinactive\tinactive\t-\t\t\t-\tfalse"));
  }

  @Test
  void printsTheHeaderOfAnEmptyList() {
    assertThat(run("list-units").out()).isEqualTo("UNIT\tMACHINE\tACTIVE\tSUB\n");
  }

  @Test
  void refusesFieldsThatAreNotThere() {
    assertThat(run("list-units", "--fields="))
        .isEqualTo(
            new Ran(
                2, "", "Must define output format\nRun 'fleetctl list-units --help' for usage.\n"));
    for (String command : List.of("list-units", "list-unit-files", "list-machines")) {
      Ran ran = run(command, "--fields=unti");
      assertThat(ran.code()).isEqualTo(2);
      assertThat(ran.err()).startsWith("Invalid key in output format: \"unti\" (there are ");
    }
  }

  @Test
  void printsAUnit() throws Exception {
    daemon.add("a.service", UNIT, "inactive");

    assertThat(run("cat", "a.service")).isEqualTo(new Ran(0, UNIT, ""));
    assertThat(run("cat", "b.service")).isEqualTo(new Ran(1, "", "Unit b.service not found\n"));
  }

  @Test
  void showsStatusWithItsExitCode() throws Exception {
    daemon.add("a.service", UNIT, "launched");
    daemon.add("b.service", UNIT, "loaded");

    assertThat(run("status", "a.service")).isEqualTo(new Ran(0, "* a.service\n", ""));
    assertThat(run("status", "b.service", "a.service"))
        .isEqualTo(new Ran(3, "* b.service\n\n* a.service\n", ""));
    assertThat(run("status", "nosuch"))
        .isEqualTo(new Ran(1, "", "Unit nosuch.service does not exist.\n"));
  }

  @Test
  void showsTheStatusOfGlobalUnits() throws Exception {
    daemon.add("g.service", UNIT + "\n[X-Fleet]\nGlobal=true\n", "launched");

    assertThat(run("status", "g.service")).isEqualTo(new Ran(0, "* g.service\n", ""));
  }

  @Test
  void saysThatASubmittedUnitHasNoStatus() throws Exception {
    daemon.add("a.service", UNIT, "inactive");

    assertThat(run("status", "a.service"))
        .isEqualTo(new Ran(1, "", "Unit a.service does not appear to be loaded.\n"));
  }

  @Test
  void printsTheJournal() throws Exception {
    daemon.add("a.service", UNIT, "launched");
    daemon.journal("one\ntwo\n");

    assertThat(run("journal", "-n", "2", "a.service")).isEqualTo(new Ran(0, "one\ntwo\n", ""));
    assertThat(daemon.requests())
        .contains(
            "GET /fleet/v1/units/a.service/journal?lines=2&follow=0&output=short&machine="
                + FakeDaemon.MACHINE);
    assertThat(run("journal").code()).isEqualTo(2);
  }
}
