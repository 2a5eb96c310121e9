package fleet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroundTest {

  @TempDir private Path base;

  @Test
  void setsSideBySideDiffer() {
    Ground.Plot first = new Ground(base).claim();
    Ground.Plot second = new Ground(base).claim();
    assertThat(second.number()).isNotEqualTo(first.number());
    first.release();
    second.release();
  }

  @Test
  void whatADeadProcessLeftIsRemovedByTheNextSet() throws Exception {
    Ground.Plot dead = new Ground(base).claim();
    Path disk = dead.directory().resolve("machine-1/upper");
    Files.createDirectories(disk);
    dead.release();

    Ground.Plot next = new Ground(base).claim();

    assertThat(next.number()).isEqualTo(dead.number());
    assertThat(disk).doesNotExist();
    next.release();
  }

  @Test
  void aKeptSetOutlivesItsProcessAndIsFoundByItsName() {
    Ground.Plot kept = new Ground(base).keep("mine");
    Ground.Plot other = new Ground(base).claim();
    assertThat(other.number()).isNotEqualTo(kept.number());
    assertThat(new Ground(base).keep("mine").number()).isEqualTo(kept.number());
    assertThat(new Ground(base).kept("yours")).isEmpty();
    other.release();
  }
}
