package fleet.daemon.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GrownHeapTest {

  private static final long MEGABYTE = 1 << 20;

  @Test
  void aSmallHeapIsLeftAlone() {
    assertThat(GrownHeap.next(3 * MEGABYTE, 500 * MEGABYTE)).isEqualTo(32 * MEGABYTE);
  }

  @Test
  void itIsLookedAtAgainOnceItHasDoubled() {
    assertThat(GrownHeap.next(60 * MEGABYTE, 500 * MEGABYTE)).isEqualTo(120 * MEGABYTE);
  }

  @Test
  void whatCannotDoubleAnyMoreIsLeftAlone() {
    assertThat(GrownHeap.next(300 * MEGABYTE, 500 * MEGABYTE)).isZero();
  }
}
