package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.PlayedTime;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A release that does not come to an end by itself. */
class StuckReleaseTest {

  private static final UnitName STUCK = UnitName.of("stuck.service");

  private static final Duration MOMENT = Duration.ofMillis(1);

  private final PlayedTime time = new PlayedTime(0);
  private final List<String> progress = new ArrayList<>();
  private final List<Set<UnitName>> killed = new ArrayList<>();
  private final Release release =
      new Release(
          time,
          Release.PATIENCE,
          (units, all) -> progress.add(units + "/" + all),
          Set.of(STUCK),
          killed::add);

  @BeforeEach
  void waitInVain() {
    time.pass(Release.PATIENCE.minus(MOMENT));
    assertThat(killed).isEmpty();
    time.pass(MOMENT);
    assertThat(killed).containsExactly(Set.of(STUCK));
  }

  @Test
  void aUnitThatDoesNotStopIsKilledAndTheRestFollows() {
    assertThat(release.end()).isNotDone();
    release.see(Set.of());
    assertThat(release.end()).isCompletedWithValue(Set.of());
    assertThat(progress).containsExactly("0/1", "1/1");
  }

  @Test
  void whatEvenThenDoesNotEndIsReported() {
    time.pass(Release.AFTER_KILL.minus(MOMENT));
    assertThat(release.end()).isNotDone();
    time.pass(MOMENT);
    assertThat(release.end()).isCompletedWithValue(Set.of(STUCK));
    assertThat(killed).hasSize(1);
  }
}
