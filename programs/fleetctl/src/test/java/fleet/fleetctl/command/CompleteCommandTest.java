package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Candidates for the word at the cursor. */
final class CompleteCommandTest extends ServedCommandTest {

  private static final String UNITS =
      """
      {"units":[
      {"name":"web@.service","desiredState":"inactive"},
      {"name":"web@1.service","desiredState":"launched"},
      {"name":"db.service","desiredState":"launched"}]}
      """;

  private static final String MACHINES =
      """
      {"machines":[
      {"id":"m1","hostname":"node1","state":"ready"},
      {"id":"m2","hostname":"same","state":"ready"},
      {"id":"m3","hostname":"same","state":"ready"},
      {"id":"m4","hostname":"n$(touch ${IFS}x)","state":"ready"}]}
      """;

  private final List<String> asked = new CopyOnWriteArrayList<>();

  /** Lets requests lie. */
  private volatile boolean silent;

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    asked.add(request.target());
    if (silent) {
      return true;
    }
    return switch (request.path()) {
      case "/fleet/v1/units" -> FakeHttpServer.reply(out, 200, UNITS);
      case "/fleet/v1/machines" -> FakeHttpServer.reply(out, 200, MACHINES);
      case "/fleet/v1/operations" ->
          FakeHttpServer.reply(out, 200, "{\"operations\":[{\"id\":\"drain-m1\"}]}");
      case "/fleet/v1/units/web@1.service/history" ->
          FakeHttpServer.reply(
              out,
              200,
              "{\"revisions\":[{\"revision\":12,\"created\":\"2026-01-01T00:00:00Z\",\"by\":\"user a\"},"
                  + "{\"revision\":3}]}");
      case "/fleet/v1/config" ->
          FakeHttpServer.reply(
              out, 200, "{\"settings\":[{\"name\":\"scheduler.strategy\",\"value\":\"spread\"}]}");
      default -> FakeHttpServer.reply(out, 404, "{}");
    };
  }

  /** The names without their descriptions, and the line about files, between blanks. */
  private String completed(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "__complete";
    System.arraycopy(words, 0, all, 1, words.length);
    Ran ran = patient().run(all);
    assertThat(ran.code()).isZero();
    return String.join(" ", ran.out().lines().map(line -> line.replaceFirst("\t.*", "")).toList());
  }

  private Terminal patient() {
    return terminal().with("HOME", directory.toString()).with("FLEETCTL_COMPLETION_TIMEOUT", "10m");
  }

  /** A blank before the end stands for an empty word there. */
  private String typed(String line) {
    return completed(line.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"stop \"|web@.service web@1.service db.service :",
        "stop we|web@.service web@1.service :",
        "stop web@1|web@1.service :",
        "stop web@1.service we|web@.service :",
        "stop --no-block d|db.service :",
        "--debug stop d|db.service :",
        "st|start status stop :",
        "start d|db.service :files",
        "submit nothing|:files",
        "drain n|node1 :",
        "drain m|m2 m3 m4 :",
        "journal --machine n|node1 :",
        "journal --machine=n|--machine=node1 :",
        "ssh n|node1 :",
        "ssh d|db.service :",
        "ssh node1 n|:",
        "operations p|pause :",
        "operations pause d|drain-m1 :",
        "operations pause drain-m1 d|:",
        "config get s|scheduler.strategy :",
        "config set scheduler.strategy s|:",
        "machines re|remove readmit :",
        "machines remove n|node1 :",
        "plan st|start stop :",
        "rollout pr|promote :files",
        "rollout pause d|db.service :",
        "plan stop d|db.service :",
        "plan start d|db.service :files",
        "kill -s US|USR1 USR2 :",
        "\"diff web@1 \"|12 3 :",
        "diff web@1 1|12 :",
        "diff web@1 3 1|:",
        "rollout undo web@1 --to=1|--to=12 :",
        "\"rollout undo web@1 --max-unavailable 2 --to \"|12 3 :",
        "rollout undo --to=1|:",
        "kill --kill-whom m|main :",
        "list-units -o n|name :",
        "\"events -o \"|text json :",
        "\"audit --output=\"|--output=short --output=json :",
        "journal -o short-iso|short-iso short-iso-precise :",
        "journal -p e|emerg err :",
        "top --sort=m|--sort=memory :",
        "list-machines --state d|draining drained :",
        "list-units --state f|failed :",
        "list-unit-files --state=l|--state=loaded --state=launched :",
        "apply --state l|launched loaded :",
        "token create --role s|server :",
        "access grant --role v|viewer :",
        "apply w|:files",
        "import w|:files",
        "edit d|db.service :",
        "ca etcd one --out d|:directories",
        "--ca-file d|:files",
        "stop --ca-file=d|:files",
        "context use n|none :",
        "help reb|rebalance :",
        "completion z|zsh :",
        "nonsense x|\"\"",
      })
  void theWordAtTheCursorDecides(String line, String expected) {
    assertThat(typed(line)).isEqualTo(expected);
  }

  @Test
  void flagsAreThoseOfTheCommandAndThoseOfAll() {
    assertThat(completed("stop", "--"))
        .contains("--no-block", "--endpoint")
        .doesNotContain("--replace");
    assertThat(completed("start", "--rep")).isEqualTo("--replace");
    assertThat(completed("--end")).isEqualTo("--endpoint");
    assertThat(completed("ssh", "node1", "--", "--")).isEqualTo(":");
  }

  @Test
  void unitsAreAskedForByTheirBeginningInOneSmallRequest() {
    assertThat(completed("stop", "we")).contains("web@1.service");
    assertThat(asked).containsExactly("/fleet/v1/units?match=we%2A&limit=200&stale=1");
  }

  @Test
  void theClusterIsTheOneThatTheLineNames() throws Exception {
    close();
    Path other = directory.resolve("other.sock");
    try (FakeHttpServer _ = FakeHttpServer.onSocket(other, this::handle)) {
      assertThat(completed("stop", "d")).isEqualTo(":");
      assertThat(completed("--endpoint", "unix://" + other, "stop", "d")).isEqualTo("db.service :");
      assertThat(completed("stop", "--endpoint=unix://" + other, "d")).isEqualTo("db.service :");
    }
  }

  @Test
  void contextsAreThoseOfTheFiles() throws Exception {
    Path contexts = Files.createDirectories(directory.resolve(".config/fleet/contexts"));
    Files.writeString(contexts.resolve("prod"), "endpoint=unix:///nowhere\n");
    assertThat(completed("context", "use", "")).isEqualTo("prod none :");
    assertThat(completed("--context", "p")).isEqualTo("prod :");
  }

  /** A shell shows what it can, and no error. */
  @Test
  void aFleetdThatIsNotThereLeavesFilesAndFlags() throws Exception {
    close();
    assertThat(patient().run("__complete", "start", "we")).isEqualTo(new Ran(0, ":files\n", ""));
    assertThat(completed("start", "--rep")).isEqualTo("--replace");
  }

  /** It would be waited for as long as it takes. */
  @Test
  void aFleetdThatDoesNotAnswerLeavesFilesAndFlags() {
    silent = true;
    Ran ran =
        terminal().with("FLEETCTL_COMPLETION_TIMEOUT", "1ms").run("__complete", "start", "we");
    assertThat(ran).isEqualTo(new Ran(0, ":files\n", ""));
  }

  @Test
  void nothingConnectsBySsh() {
    assertThat(completed("--endpoint=ssh://node1", "stop", "d")).isEqualTo(":");
    assertThat(completed("--tunnel=node1", "stop", "d")).isEqualTo(":");
    assertThat(asked).isEmpty();
  }

  // ---- the scripts

  /** Bash completes what follows the last of {@code @=:}, and nothing before it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "fleetctl stop we|web@.service web@1.service",
        "fleetctl stop web@|.service 1.service",
        "fleetctl stop web@1|1.service",
        "fleetctl journal --machine=n|node1",
        "fleetctl start my|\"my file\"",
        "\"fleetctl drain \"|node1 m2 m3 m4",
      })
  void bashAsksFleetctl(String line, String expected) throws Exception {
    Path program = directory.resolve("fleetctl");
    Files.writeString(directory.resolve("my file"), "");
    Files.writeString(program, "#!/bin/sh\ncat '" + directory + "/answer'\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    String[] words = line.split(" ", -1);
    words[0] = "__complete";
    Files.writeString(directory.resolve("answer"), patient().run(words).out());
    Files.writeString(directory.resolve("script"), terminal().run("completion", "bash").out());

    assertThat(bash(line).lines().toList()).isEqualTo(expectedWords(expected));
  }

  private static List<String> expectedWords(String expected) {
    return expected.equals("my file") ? List.of(expected) : Arrays.asList(expected.split(" "));
  }

  private String bash(String line) throws Exception {
    Process bash =
        new ProcessBuilder(
                "bash",
                "--norc",
                "-c",
                "PATH=$PWD:$PATH; COMP_WORDBREAKS=$' \\t\\n\"\\'@><=;|&(:'; . ./script;"
                    + " COMP_LINE=$1 COMP_POINT=${#1}; _fleetctl; printf '%s\\n' \"${COMPREPLY[@]}\"",
                "bash",
                line)
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    bash.getOutputStream().close();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).isZero();
    return out;
  }

  @Test
  void scriptsAreThereForThreeShells() {
    assertThat(run("completion", "zsh").out()).startsWith("#compdef fleetctl\n");
    assertThat(run("completion", "fish").out()).contains("complete -c fleetctl ");
    Ran ran = run("completion", "csh");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).startsWith("Error: expect bash, zsh or fish\n");
  }
}
