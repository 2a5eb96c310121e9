package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A file that is read from top to bottom has one subject, and an end. */
class FileLengthTest {

  private static final int MOST_LINES = 500;

  @Test
  void noJavaFileIsLong() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path source : Checkout.sources()) {
      int lines = Files.readAllLines(source).size();
      if (lines > MOST_LINES) {
        tooLong.add(source.getFileName() + ": " + lines);
      }
    }
    assertThat(tooLong).as("split it by subject; tests share their set-up as a fixture").isEmpty();
  }
}
