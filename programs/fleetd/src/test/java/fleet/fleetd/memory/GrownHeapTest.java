package fleet.fleetd.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.MemoryUsage;
import org.junit.jupiter.api.Test;

class GrownHeapTest {

  private static final long MEGABYTE = 1 << 20;

  @Test
  void aSmallHeapIsLeftAlone() {
    assertThat(next(3, 8)).isEqualTo(32 * MEGABYTE);
  }

  @Test
  void itIsLookedAtAgainOnceItHasDoubled() {
    assertThat(next(60, 80)).isEqualTo(120 * MEGABYTE);
  }

  @Test
  void whatCannotDoubleAnyMoreIsLeftAlone() {
    assertThat(next(300, 400)).isZero();
  }

  @Test
  void whatHasGrownToItsMostIsLeftAlone() {
    assertThat(next(150, 500)).isZero();
  }

  /** The heap can have 500 MB. */
  private static long next(long used, long committed) {
    return GrownHeap.next(
        new MemoryUsage(0, used * MEGABYTE, committed * MEGABYTE, 500 * MEGABYTE));
  }
}
