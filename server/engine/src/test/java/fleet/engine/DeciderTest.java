package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Machine;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.ReportPath;
import fleet.registry.Entry;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import fleet.scheduler.LeastLoaded;
import fleet.scheduler.Scheduler;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeciderTest {

  private static final String FAULTY = "faulty";

  private final LiveState state =
      LiveState.empty(
          new Scheduler(
              List.of((demand, _) -> {
                if (demand.unit().value().startsWith(FAULTY)) {
                  throw new IllegalStateException("nobody has thought of that");
                }
                return Optional.empty();
              }),
              List.of(new LeastLoaded())));
  private final ClusterState cluster = state.cluster();
  private final UnitViews views = state.views();
  private final WorkQueue queue = state.queue();
  private final Decider decider = new Decider(state, Clock.systemUTC());
  private long revision;

  private UnitName unit(String name) throws Exception {
    UnitName unit = UnitName.of(name + ".service");
    UnitFile file = UnitFile.parse("[Service]\nExecStart=/bin/true\n");
    put(Keys.file(file.sha256()), new FileRecord(file.render()).json());
    put(
        Keys.unit(unit),
        new UnitRecord(
                new Incarnation("i"),
                file.sha256(),
                file.hash(),
                DesiredState.LAUNCHED,
                1,
                "test",
                Instant.EPOCH)
            .json());
    queue.touch(unit);
    return unit;
  }

  private void put(String key, String value) {
    revision++;
    var _ = cluster.written(new Entry(key, value, revision, revision));
  }

  private void machine(String id) {
    var _ =
        cluster
            .machines()
            .present(ReportPath.DIRECT, new Machine(id, "boot", "", Map.of(), "test"));
    queue.machineCame(id);
  }

  /** Decides all that there is to decide, and gives the units that something is written of. */
  private Set<UnitName> decideAll() {
    Set<UnitName> written = new HashSet<>();
    while (!queue.isEmpty()) {
      decider.decide().forEach(batch -> written.addAll(batch.writes().units()));
    }
    return written;
  }

  @Test
  void aUnitThatTheEngineFailsToDecideAboutHoldsUpNoOther() throws Exception {
    machine("m1");
    UnitName before = unit("before");
    UnitName faulty = unit(FAULTY);
    UnitName after = unit("after");

    assertThat(decideAll()).containsExactlyInAnyOrder(before, after);

    assertThat(views.whyWaiting(faulty)).contains("nobody has thought of that");
    assertThat(decider.takeFailed()).containsExactly(faulty);
    assertThat(decider.takeFailed()).isEmpty();
  }

  @Test
  void soDoThousandsOfThem() throws Exception {
    machine("m1");
    for (int i = 0; i < 1_000; i++) {
      UnitName _ = unit(FAULTY + i);
    }
    UnitName good = unit("good");

    assertThat(decideAll()).containsExactly(good);
    assertThat(decider.takeFailed()).hasSize(1_000);
  }

  @Test
  void itIsLookedAtAgainByItself() throws Exception {
    machine("m1");
    UnitName faulty = unit(FAULTY);
    assertThat(decideAll()).isEmpty();
    assertThat(decider.takeFailed()).containsExactly(faulty);
    queue.touch(faulty);
    assertThat(queue.isEmpty()).isTrue();

    queue.takeUp(faulty);
    UnitName other = unit("other");

    assertThat(decideAll()).containsExactly(other);
    assertThat(decider.takeFailed()).containsExactly(faulty);
  }
}
