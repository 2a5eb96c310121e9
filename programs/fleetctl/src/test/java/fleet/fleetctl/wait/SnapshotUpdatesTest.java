package fleet.fleetctl.wait;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.CauseEntity;
import fleet.entities.ContextEntity;
import fleet.entities.EventEntity;
import fleet.fleetctl.wait.EventFeed.Happened;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SnapshotUpdatesTest {

  @Test
  void aUnitThatHasLeftItsMachineIsMissedNoMore() {
    var left =
        new Happened(
            "left",
            EventEntity.of("left", 7, "")
                .about(new ContextEntity("a.service", "m1", ""), CauseEntity.NONE));
    assertThat(SnapshotUpdates.unitOf(left)).contains("a.service");
    var missed = new UnitSnapshot(Optional.empty(), List.of(), "m1");
    assertThat(SnapshotUpdates.apply(missed, left)).isEqualTo(UnitSnapshot.NOTHING);
  }

  @Test
  void anEventAboutNoUnitConcernsNone() {
    var leader = new Happened("leader", EventEntity.of("leader", 7, ""));
    assertThat(SnapshotUpdates.unitOf(leader)).isEmpty();
  }
}
