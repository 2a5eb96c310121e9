package fleet.fleetd.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** The parts that {@link ConfigurationReaderTest} and {@link ConfigurationRefusalTest} share. */
abstract class ConfigurationFixture {
  @TempDir Path directory;

  final Map<String, String> environment = new HashMap<>();

  Configuration read(String text) throws IOException, ConfigurationException {
    Files.writeString(file(), text);
    return reader().read(Optional.of(file())).configuration();
  }

  List<Notice> notices(String text) throws IOException, ConfigurationException {
    Files.writeString(file(), text);
    return reader().read(Optional.of(file())).notices();
  }

  Path file() {
    return directory.resolve("fleet.conf");
  }

  ConfigurationReader reader() {
    return new ConfigurationReader(environment, Map.of(), directory.resolve("absent.conf"));
  }
}
