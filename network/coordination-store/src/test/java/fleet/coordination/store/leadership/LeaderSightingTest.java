package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.Entry;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaderSightingTest {

  private static final Duration TIME = Duration.ofMinutes(2);

  private final LeaderSighting sighting = new LeaderSighting();
  private long revision;

  private void seen(Duration at, boolean rpc) {
    revision++;
    var record = new LeaderRecord("m1", "boot", "", "test", 1, rpc);
    var entry = new Entry(Keys.LEADER, record.json(), revision, revision);
    sighting.seen(Optional.of(entry), revision, at.toNanos());
  }

  private boolean maySpeak(Duration at) {
    return sighting.maySpeakWithin(TIME, at.toNanos());
  }

  /** A fleetd that has just begun does not know whom machines spoke to a moment ago. */
  @Test
  void nobodyCanTellOfTheTimeBeforeTheFirstLook() {
    seen(Duration.ZERO, false);
    assertThat(maySpeak(TIME)).isTrue();
    assertThat(maySpeak(TIME.plusNanos(1))).isFalse();
  }

  @Test
  void machinesMaySpeakToWhoeverLedUntilAShortTimeAgo() {
    seen(Duration.ZERO, true);
    Duration late = TIME.multipliedBy(2);
    assertThat(maySpeak(late)).isTrue();
    seen(late, false);
    assertThat(maySpeak(late.plus(TIME))).isTrue();
    assertThat(maySpeak(late.plus(TIME).plusNanos(1))).isFalse();
  }
}
