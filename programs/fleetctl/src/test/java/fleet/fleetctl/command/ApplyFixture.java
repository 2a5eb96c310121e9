package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.unit.UnitFile;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A directory of unit files that is applied, and a fleetd that does all it is told. */
abstract class ApplyFixture {

  static final String OLD = "[Service]\nExecStart=/bin/sleep 1\n";
  static final String NEW = "[Service]\nExecStart=/bin/sleep 2\n";
  static final String OWN = "[Service]\nExecStart=/bin/sleep 3\n";
  static final String FAILS = "[Unit]\nDescription=fail the rollout\n\n" + NEW;

  @TempDir Path directory;
  FakeDaemon daemon;

  @BeforeEach
  void begin() throws IOException {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
    Files.createDirectories(directory.resolve("shop"));
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  void write(String name, String text) throws IOException {
    var _ = Files.writeString(directory.resolve("shop").resolve(name), text);
  }

  Ran apply(String... options) {
    String[] words = new String[options.length + 2];
    words[0] = "apply";
    System.arraycopy(options, 0, words, 1, options.length);
    words[words.length - 1] = "shop/";
    return terminal().run(words);
  }

  void expectNothingToDo() {
    Ran again = apply("--dry-run");
    assertThat(again.code()).as(again.out()).isZero();
  }

  String desired(String unit) {
    return daemon.unit(unit).map(UnitEntity::desiredState).orElse("none");
  }

  List<String> required(String unit) {
    return daemon.unit(unit).map(UnitEntity::require).orElse(List.of());
  }

  String stored(String unit) {
    return daemon.unit(unit).map(UnitReader::file).map(UnitFile::render).orElse("none");
  }

  /** The requests that change something, in order. */
  List<String> changes() {
    return daemon.requests().stream()
        .filter(request -> !request.startsWith("GET"))
        .map(request -> request.replace("/fleet/v1/", ""))
        .toList();
  }
}
