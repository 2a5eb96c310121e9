package fleet.fleetctl.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mallory's files are another user's, so this is for root. */
final class FileTrustTest {

  private static final int MALLORY = 4711;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    file = Files.writeString(directory.resolve("web@1.service"), "[Service]\nExecStart=/bin/id\n");
  }

  @Test
  void aFileOfRootOrTheCallerIsTaken() throws Exception {
    assertThat(UnitArgument.of("web@1", directory).read()).isPresent();
    Files.setAttribute(file, "unix:uid", MALLORY);
    new FileTrust(Set.of("0", "4711")).check(file);
    FileTrust.ofCaller().check(directory.resolve("absent.service"));
  }

  /** The finding: root in /tmp, where mallory has left a file of that name. */
  @Test
  void aFileOfSomebodyElseIsTakenOnlyWhereItIsNamed() throws Exception {
    Files.setAttribute(directory, "unix:mode", 01777);
    Files.setAttribute(file, "unix:uid", MALLORY);

    assertThatThrownBy(() -> UnitArgument.of("web@1.service", directory).read())
        .isInstanceOf(UnitProblemException.class)
        .hasMessage(
            file
                + " belongs to uid 4711, and nobody named it: write ./web@1.service to use it, or run fleetctl in another directory");
    assertThat(UnitArgument.of("./web@1.service", directory).read()).isPresent();
  }

  @Test
  void soIsALinkOfSomebodyElseToAFileOfRoots() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("b.service"), file);
    new ProcessBuilder("chown", "-h", "4711", link.toString()).inheritIO().start().waitFor();

    assertThatThrownBy(() -> UnitArgument.of("b", directory).read())
        .hasMessageContaining("belongs to uid 4711");
  }

  @Test
  void whatEverybodyCanWriteToOrReplaceIsNotTakenEither() throws Exception {
    Files.setAttribute(directory, "unix:mode", 0777);
    assertThatThrownBy(() -> UnitArgument.of("web@1", directory).read())
        .hasMessageContaining("lies where every user can put files");

    Files.setAttribute(directory, "unix:mode", 0755);
    Files.setAttribute(file, "unix:mode", 0666);
    assertThatThrownBy(() -> UnitArgument.of("web@1", directory).read())
        .hasMessageContaining("can be written to by every user");
  }
}
