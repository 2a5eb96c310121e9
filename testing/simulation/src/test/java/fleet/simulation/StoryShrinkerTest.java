package fleet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoryShrinkerTest {

  private static final int MANY = 10_000;

  private static Story story(int acts) {
    return new Story(
        IntStream.range(0, acts)
            .mapToObj(i -> new Story.Act(Duration.ofSeconds(i), "act " + i, _ -> {}))
            .toList());
  }

  private static List<String> texts(Story story) {
    return story.acts().stream().map(Story.Act::text).toList();
  }

  @Test
  void whatItTakesIsLeftInItsOrder() {
    var shrinking =
        new StoryShrinker(
            story -> texts(story).containsAll(List.of("act 3", "act 17", "act 63")), MANY);
    assertThat(texts(shrinking.shrink(story(64)))).containsExactly("act 3", "act 17", "act 63");
  }

  @Test
  void whatFailsByItselfTakesNoMoreThanOneAct() {
    assertThat(new StoryShrinker(_ -> true, MANY).shrink(story(64)).acts())
        .hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void itGivesUpAfterSoManyAttempts() {
    var attempts = new AtomicInteger();
    Story shortest =
        new StoryShrinker(
                _ -> {
                  attempts.incrementAndGet();
                  return false;
                },
                5)
            .shrink(story(64));
    assertThat(attempts).hasValue(5);
    assertThat(shortest.acts()).hasSize(64);
  }

  @Test
  void aStoryIsReadLineByLine() {
    assertThat(story(2).text().lines()).containsExactly("   0.000 act 0", "   1.000 act 1");
  }
}
