package fleet.fleetd.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BurstTest {

  private static final int RESTING = 2;
  private static final int WORKING = 600;

  private long kept = 20;

  @Test
  void isOverAtTheFirstQuietLookAndOnceMoreWhenRestHasLasted() {
    assertThat(overAt(looks(1, WORKING), looks(30, RESTING))).containsExactly(1, 4);
  }

  @Test
  void whoOnlyRestsIsLeftAloneHoweverLong() {
    assertThat(overAt(looks(1_000, RESTING))).isEmpty();
  }

  @Test
  void isNotOverWhileItGoesOnOrComesBack() {
    assertThat(overAt(looks(5, WORKING))).isEmpty();
    assertThat(
            overAt(
                looks(2, WORKING),
                looks(2, RESTING),
                looks(1, WORKING),
                looks(2, RESTING),
                looks(1, WORKING),
                looks(30, RESTING)))
        .containsExactly(2, 5, 8, 11);
  }

  @Test
  void theMoreThereIsToCollectTheLongerTheRestIsThatItIsWorth() {
    kept = 80;
    assertThat(overAt(looks(1, WORKING), looks(2, RESTING), looks(1, WORKING), looks(30, RESTING)))
        .containsExactly(6, 9);
  }

  @Test
  void whoAlwaysHearsMuchIsLeftAlone() {
    assertThat(overAt(looks(1, WORKING), looks(100, 20))).isEmpty();
  }

  private record Looks(int count, int megabytes) {}

  private static Looks looks(int count, int megabytes) {
    return new Looks(count, megabytes);
  }

  /** After which of the looks, counted from 0, it was over. */
  private List<Integer> overAt(Looks... intervals) {
    var burst = new Burst();
    List<Integer> over = new ArrayList<>();
    long allocated = 0;
    int look = 0;
    for (Looks alike : intervals) {
      for (int i = 0; i < alike.count(); i++, look++) {
        allocated += (long) alike.megabytes() << 20;
        if (burst.isOver(allocated, kept << 20)) {
          over.add(look);
        }
      }
    }
    return over;
  }
}
