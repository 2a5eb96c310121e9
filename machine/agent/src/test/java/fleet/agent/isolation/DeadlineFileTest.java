package fleet.agent.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadlineFileTest {

  @TempDir Path directory;

  private String deadline() throws IOException {
    return Files.readString(directory.resolve("deadline")).strip().replaceAll(" +", " ");
  }

  private Object inode() throws IOException {
    return Objects.requireNonNull(
        Files.readAttributes(directory.resolve("deadline"), BasicFileAttributes.class).fileKey());
  }

  @Test
  void theLastOneCounts() throws IOException {
    var file = new DeadlineFile(directory);
    file.putOff(123_456, 234_567);
    assertThat(deadline()).isEqualTo("123456 234567");
    file.putOff(9, 8);
    file.putOff(7, 6);
    assertThat(deadline()).isEqualTo("7 6");
  }

  @Test
  void itTakesNoMoreSpaceThanItHasAlsoForTheNextFleetd() throws IOException {
    Set<Object> inodes = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      var file = new DeadlineFile(directory);
      file.putOff(i, i);
      inodes.add(inode());
      file.putOff(100 + i, 100 + i);
      inodes.add(inode());
    }
    assertThat(inodes).hasSize(2);
  }

  /** A reader has opened the file that was there, and reads that to its end. */
  @Test
  void whatSomebodyReadsIsNotWrittenTo() throws IOException {
    var file = new DeadlineFile(directory);
    file.putOff(1, 2);
    try (var reader = Files.newBufferedReader(directory.resolve("deadline"))) {
      file.putOff(3, 4);
      assertThat(reader.readLine()).startsWith("1 ");
    }
  }

  @Test
  void nothingIsLeftOfIt() throws IOException {
    var file = new DeadlineFile(directory);
    file.putOff(1, 2);
    file.putOff(3, 4);
    file.remove();
    assertThat(directory).isEmptyDirectory();
  }
}
