package fleet.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroundTest {

  @TempDir private Path base;
  private final List<Integer> cleared = new ArrayList<>();

  /**
   * Without machines: networks are numbered by plot, and real machines may have the same numbers.
   */
  private MachineSets ground() {
    return new MachineSets(base, leftOver -> cleared.add(leftOver.number()));
  }

  @Test
  void aFolderThatOthersCanWriteToIsNotUsed() throws Exception {
    Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThatThrownBy(() -> ground().claim())
        .hasMessageContaining("is not the folder of this user");
    assertThatThrownBy(() -> ground().kept("dev"))
        .hasMessageContaining("is not the folder of this user");
  }

  @Test
  void norIsALinkThatSomebodyLeftInItsPlace() throws Exception {
    Path link = Files.createSymbolicLink(base.resolve("link"), base);

    assertThatThrownBy(() -> new MachineSets(link, _ -> {}).kept("dev"))
        .hasMessageContaining("is not the folder of this user");
  }

  @Test
  void setsSideBySideDiffer() {
    MachineSets.Plot first = ground().claim();
    MachineSets.Plot second = ground().claim();
    assertThat(second.number()).isNotEqualTo(first.number());
    first.release();
    second.release();
  }

  @Test
  void whatADeadProcessLeftIsRemovedByTheNextSet() throws Exception {
    MachineSets.Plot dead = ground().claim();
    assertThat(cleared).isEmpty();
    Files.createDirectories(dead.directory().resolve("etcd0/m2379/data"));
    dead.release();

    MachineSets.Plot next = ground().claim();

    assertThat(next.number()).isEqualTo(dead.number());
    assertThat(cleared).containsExactly(dead.number());
    assertThat(next.directory().toFile().list()).containsExactly("owner");
    next.release();
  }

  @Test
  void whatThisProcessHoldsIsLeftAlone() {
    MachineSets.Plot first = ground().claim();
    ground().claim().release();

    assertThat(cleared).isEmpty();
    first.release();
  }

  @Test
  void whatAnotherProcessHoldsIsLeftAloneUntilItEnds() throws Exception {
    Process other = new ProcessBuilder("sleep", "infinity").start();
    try {
      Path set = Files.createDirectories(base.resolve("1"));
      Files.writeString(set.resolve("owner"), MachineSets.nameOf(other.pid()));
      assertThat(ground().claim().number()).isEqualTo(2);
      assertThat(cleared).isEmpty();
    } finally {
      other.destroyForcibly().waitFor();
    }

    assertThat(ground().claim().number()).isEqualTo(1);
    assertThat(cleared).containsExactly(1);
  }

  @Test
  void aKeptSetOutlivesItsProcessAndIsFoundByItsName() {
    MachineSets.Plot kept = ground().keep("mine");
    MachineSets.Plot other = ground().claim();
    assertThat(other.number()).isNotEqualTo(kept.number());
    assertThat(ground().keep("mine").number()).isEqualTo(kept.number());
    assertThat(ground().kept("yours")).isEmpty();
    other.release();
  }
}
