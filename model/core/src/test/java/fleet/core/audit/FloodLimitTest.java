package fleet.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FloodLimitTest {

  private static final Duration WINDOW = Duration.ofSeconds(60);
  private static final long LATER = WINDOW.toNanos();

  private final FloodLimit limit = new FloodLimit(2, 5, WINDOW);

  private int let(String kind, String source, int times) {
    int let = 0;
    for (int i = 0; i < times; i++) {
      let += limit.admits(kind, source, 0) ? 1 : 0;
    }
    return let;
  }

  @Test
  void aSourceGetsSoManyEntriesAndOthersTheirs() {
    assertThat(let("join", "a", 100)).isEqualTo(2);
    assertThat(let("join", "b", 100)).isEqualTo(2);
  }

  @Test
  void manySourcesTogetherGetSoMany() {
    int let = 0;
    for (int i = 0; i < 1000; i++) {
      let += let("join", "source" + i, 1);
    }
    assertThat(let).isEqualTo(5);
  }

  @Test
  void aFloodOfOneKindTakesNothingFromAnother() {
    int flood = let("join", "a", 1000) + let("join", "b", 1000) + let("join", "c", 1000);
    assertThat(flood).isEqualTo(5);
    assertThat(let("unit", "a", 1)).isEqualTo(1);
  }

  @Test
  void whatWasLeftOutIsToldOnceWhenTheWindowIsOver() {
    int _ = let("join", "a", 10) + let("join", "b", 3);
    assertThat(limit.isHoldingBack()).isTrue();
    assertThat(limit.ended(LATER - 1)).isEmpty();
    assertThat(limit.ended(LATER)).containsExactly(new FloodLimit.LeftOut("join", 9, 2, WINDOW));
    assertThat(limit.ended(LATER)).isEmpty();
    assertThat(limit.isHoldingBack()).isFalse();
  }

  @Test
  void theNextWindowLetsThroughAgain() {
    int _ = let("join", "a", 10);
    var _ = limit.ended(LATER);
    assertThat(limit.admits("join", "a", LATER)).isTrue();
  }

  @Test
  void aKindWithoutAFloodHasNothingToTell() {
    int _ = let("join", "a", 2);
    assertThat(limit.isHoldingBack()).isFalse();
    assertThat(limit.ended(LATER)).isEmpty();
  }
}
