package fleet.fleetctl.command;

import fleet.entities.Entity;
import fleet.entities.EntityJson;
import fleet.entities.InvalidJsonException;
import fleet.entities.MachinePageEntity;
import fleet.entities.StateEntity;
import fleet.entities.StatePageEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnitPageEntity;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.fake.FakeInvitation;
import fleet.fleetctl.fake.FakeSsh;
import fleet.fleetctl.fake.FormerFleet;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The surroundings of one run of fleetctl: a directory with the files of golden/files, and a fleetd
 * with the cluster of golden/cluster.txt. A scene differs from that by its lines:
 *
 * <pre>
 * % PUT /units/db.service 403 words of fleetd   (see {@link ScriptedAnswer})
 * % fails db.service                            its machine cannot run it
 * % silence                                     no fleetd is there
 * % fleet 1.0                                   a fleetd of fleet 1.0 is there, with these units
 * % invitation                                  SERVER takes CODE: both stand for their values
 * % stdin text                                  standard input is a pipe
 * % keys text                                   a person sits there, and types that
 * % NAME=value                                  the environment
 * </pre>
 */
final class GoldenScene implements Closeable {

  private static final Path FILES = GoldenFile.FOLDER.resolve("files");

  /** The scene of a fleetd of fleet 1.0. */
  static final String FLEET_1 = "fleet 1.0";

  private static final Path CLUSTER = GoldenFile.FOLDER.resolve("cluster.txt");

  private static final Pattern VERSION = Pattern.compile("(VERSION:\n    |fleetctl version )\\S+");
  private static final Pattern EXPIRY = Pattern.compile("(until )\\S+Z( and as long)");
  private static final Pattern AGO =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.]000000001Z");
  private static final Pattern EDITED = Pattern.compile("/tmp/fleetctl-edit-\\d+");

  private final Path directory;
  private final FakeDaemon daemon;
  private final Terminal terminal;
  private final List<ScriptedAnswer> answers = new ArrayList<>();
  private final Set<String> failing = new HashSet<>();
  private Optional<FormerFleet> former = Optional.empty();
  private Optional<FakeInvitation> invitation = Optional.empty();

  GoldenScene(Path directory, List<String> lines) throws IOException {
    this.directory = Files.createDirectories(directory);
    copyFiles();
    Path socket = directory.resolve("fleet.sock");
    daemon = new FakeDaemon(socket, true, this::desiredStateChanged);
    terminal = new Terminal(directory, socket).with("HOME", directory.toString());
    for (String line : lines) {
      take(line);
    }
    List<ScriptedAnswer> usual =
        Files.readAllLines(CLUSTER).stream()
            .filter(line -> line.startsWith("GET "))
            .map(ScriptedAnswer::of)
            .toList();
    List<UnitEntity> units = read(UnitPageEntity.class, usual, "/units").units();
    List<StateEntity> states = read(StatePageEntity.class, usual, "/state").states();
    daemon.seed(units, states);
    if (lines.contains(FLEET_1)) {
      daemon.stop();
      former =
          Optional.of(
              new FormerFleet(
                  socket, read(MachinePageEntity.class, usual, "/machines").machines(), 2));
      former.get().seed(units, states);
      failing.forEach(former.get()::fails);
    }
    usual.stream()
        .filter(answer -> !Set.of("/units", "/state").contains(answer.path()))
        .forEach(answers::add);
    daemon.scripted(this::answers);
  }

  private void copyFiles() throws IOException {
    Files.copy(
        GoldenFile.FOLDER.resolveSibling("former-keys.json"), directory.resolve("keys.json"));
    try (Stream<Path> files = Files.walk(FILES)) {
      for (Path file : files.toList()) {
        Path copy = directory.resolve(FILES.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  private static <T extends Entity> T read(
      Class<T> type, List<ScriptedAnswer> answers, String path) {
    String text =
        answers.stream()
            .filter(answer -> answer.path().equals(path))
            .map(ScriptedAnswer::text)
            .findFirst()
            .orElseThrow();
    try {
      return new EntityJson().read(type, text.getBytes(StandardCharsets.UTF_8));
    } catch (InvalidJsonException e) {
      throw new IllegalStateException(e);
    }
  }

  private void take(String line) throws IOException {
    String[] words = line.split(" ", 2);
    switch (words[0]) {
      case "silence" -> daemon.stop();
      case "fleet" -> {}
      case "invitation" -> invitation = Optional.of(invite());
      case "fails" -> failing.add(words[1]);
      case "stdin" -> terminal.reading(words[1].replace("\\n", "\n"));
      case "keys" -> terminal.typing(words[1] + "\n");
      default -> {
        String[] variable = line.split("=", 2);
        if (variable[0].matches("[A-Z_]+")) {
          terminal.with(variable[0], variable[1]);
        } else {
          answers.add(ScriptedAnswer.of(line));
        }
      }
    }
  }

  private void desiredStateChanged(FakeDaemon told, String unit, String desired) {
    if (failing.contains(unit) && desired.equals("launched")) {
      told.state(unit, "failed", "failed", "exit-code");
    } else {
      FakeDaemon.obedient(told, unit, desired);
    }
  }

  private boolean answers(Request request, OutputStream out) throws IOException {
    for (ScriptedAnswer answer : answers) {
      if (answer.fits(request)) {
        return answer.reply(out);
      }
    }
    return false;
  }

  /** Runs a command here; a width of 0 means a pipe. */
  Ran run(List<String> words, int width) throws IOException {
    if (words.contains("ssh") || former.isPresent()) {
      terminal.with("PATH", new FakeSsh(directory.resolve("bin")).path());
    }
    Terminal output = width == 0 ? terminal : terminal.ofSize(24, width);
    Ran ran = output.run(words.stream().map(this::known).toArray(String[]::new));
    return new Ran(ran.code(), settled(ran.out()), settled(ran.err()));
  }

  private static FakeInvitation invite() throws IOException {
    try {
      return new FakeInvitation();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private String known(String word) {
    return invitation
        .map(there -> word.replace("SERVER", there.server()).replace("CODE", there.code()))
        .orElse(word);
  }

  private String settled(String printed) {
    String text =
        invitation.map(there -> printed.replace(there.server(), "SERVER")).orElse(printed);
    String here =
        EXPIRY
            .matcher(text.replace(directory.toString(), "/home/anna"))
            .replaceAll("$12026-12-05T10:00:00Z$2");
    String anyTime = AGO.matcher(here).replaceAll("2026-12-01T10:00:00Z");
    String anyVersion = VERSION.matcher(anyTime).replaceAll("$1VERSION");
    return EDITED.matcher(anyVersion).replaceAll("/tmp/fleetctl-edit-1");
  }

  @Override
  public void close() throws IOException {
    daemon.close();
    invitation.ifPresent(FakeInvitation::close);
    if (former.isPresent()) {
      former.get().close();
    }
  }
}
