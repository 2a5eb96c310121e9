package fleet.systemd.dbus;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.ReadingComparison;
import fleet.core.testing.UnitTexts;
import fleet.systemd.testing.PrivateManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** fleet reads unit files as this machine's systemd does. */
final class UnitFileReadingTest {

  private static final long SEED = Long.getLong("fleet.seed", 1);

  /** On a busy host systemd takes long to show thousands of units. */
  private static final int AT_ONCE = 100;

  @RegisterExtension static final PrivateManager manager = new PrivateManager();

  private final ReadingComparison comparison = new ReadingComparison(this::show);

  @Test
  void generatedFilesAreReadAlike() {
    assertThat(comparison.differences(UnitTexts.generated(SEED, 300)))
        .as("seed %d", SEED)
        .isEmpty();
  }

  @Test
  void theFilesOfThisRepositoryAreReadAlike() {
    SortedMap<String, byte[]> units = UnitTexts.ofRepository();

    assertThat(units).hasSizeGreaterThan(10);
    assertThat(comparison.differences(units)).isEmpty();
  }

  @Test
  void theUnitsOfThisMachineAreReadAlike() {
    SortedMap<String, byte[]> units = UnitTexts.of(Path.of("/usr/lib/systemd/system"));

    assertThat(units).hasSizeGreaterThan(50);
    assertThat(comparison.differences(units)).isEmpty();
  }

  private String show(SortedMap<String, byte[]> files) {
    Path directory = manager.foreignUnitFiles();
    try {
      try (Stream<Path> before = Files.list(directory)) {
        for (Path file : before.filter(UnitFileReadingTest::isOurs).toList()) {
          Files.delete(file);
        }
      }
      for (var file : files.entrySet()) {
        Files.write(directory.resolve(file.getKey()), file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    manager.systemctl("daemon-reload");
    StringBuilder shown = new StringBuilder();
    List<String> names = List.copyOf(files.keySet());
    for (int from = 0; from < names.size(); from += AT_ONCE) {
      List<String> show = new ArrayList<>(List.of("show"));
      show.addAll(names.subList(from, Math.min(from + AT_ONCE, names.size())));
      shown.append(manager.systemctl(show.toArray(String[]::new))).append('\n');
    }
    return shown.toString();
  }

  private static boolean isOurs(Path file) {
    return file.getFileName().toString().startsWith(UnitTexts.PREFIX);
  }
}
