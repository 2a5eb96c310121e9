package fleet.fleetctl.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyboardTest {

  @Test
  void aFileIsNoTerminal(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "q");
    assertThat(Keyboard.open(file, key -> {})).isEmpty();
    assertThat(Keyboard.open(directory.resolve("nowhere"), key -> {})).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"c, cpu", "m, memory", "d, disk", "u, units", "n, name"})
  void keysChooseTheOrder(char key, UsageOrder order) {
    assertThat(UsageOrder.ofKey(key)).contains(order);
    assertThat(UsageOrder.ofKey('x')).isEmpty();
  }
}
