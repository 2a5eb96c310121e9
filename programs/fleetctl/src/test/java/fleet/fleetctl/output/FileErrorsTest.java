package fleet.fleetctl.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileErrorsTest {

  @TempDir Path directory;

  private interface Act {
    void on(Path path) throws IOException;
  }

  private static String reason(Path path, Act act) {
    try {
      act.on(path);
    } catch (IOException e) {
      return FileErrors.reason(e);
    }
    return "none";
  }

  /** Not even root may make files there. */
  @Test
  void aRefusalOfTheKernelIsNamed() {
    assertThat(reason(Path.of("/sys/kernel/fleet.txt"), Files::createFile))
        .isEqualTo("permission denied");
  }

  @Test
  void pathsComeWithAReason() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(reason(file, Files::createFile)).isEqualTo(file + " is there already");
    Path none = directory.resolve("none");
    assertThat(reason(none, Files::readString)).isEqualTo("there is no " + none);
    assertThat(reason(file.resolve("below"), Files::createFile)).contains("Not a directory");
    assertThat(reason(directory, path -> Files.write(path, new byte[1], StandardOpenOption.WRITE)))
        .contains("Is a directory");
    assertThat(FileErrors.reason(new IOException())).isEqualTo("java.io.IOException");
  }
}
