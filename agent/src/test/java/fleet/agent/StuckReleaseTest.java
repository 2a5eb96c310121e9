package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.EventThread;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A release that does not come to an end by itself. */
class StuckReleaseTest {

  private static final UnitName STUCK = UnitName.of("stuck.service");

  private final EventThread loop = new EventThread("test", () -> {});
  private final List<String> progress = Collections.synchronizedList(new ArrayList<>());
  private final List<Set<UnitName>> killed = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    loop.close();
  }

  private Release begin() {
    return loop.call(() ->
        new Release(
            loop,
            Duration.ofMillis(200),
            (units, all) -> progress.add(units + "/" + all),
            Set.of(STUCK),
            killed::add));
  }

  @Test
  void aUnitThatDoesNotStopIsKilledAndTheRestFollows() throws Exception {
    Release release = begin();
    while (killed.isEmpty()) {
      Thread.onSpinWait();
    }
    loop.post(() -> release.see(Set.of()));
    assertThat(release.end().get(5, TimeUnit.SECONDS)).isEmpty();
    assertThat(progress).containsExactly("0/1", "1/1");
  }

  @Test
  void whatEvenThenDoesNotEndIsReported() throws Exception {
    Release release = begin();
    assertThat(release.end().get(30, TimeUnit.SECONDS)).containsExactly(STUCK);
    assertThat(killed).containsExactly(Set.of(STUCK));
  }
}
