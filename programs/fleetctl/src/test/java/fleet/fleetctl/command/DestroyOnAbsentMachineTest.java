package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.AbsentMachineEntity;
import fleet.entities.ReschedulingEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnitOptionEntity;
import fleet.entities.UnreportedEntity;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine that is away for a moment is waited for, and one that is away for longer is told. */
final class DestroyOnAbsentMachineTest {

  private static final String UNIT = "a.service";
  private static final String TEXT = "[Service]\nExecStart=/bin/true\n";
  private static final String ASKED = "/rescheduling";

  /** A machine that is not listed. */
  private static final String OTHER = "9999aaaab2c34d5e8f90a1b2c3d4e5f6";

  @TempDir Path directory;
  private FakeDaemon daemon;
  private volatile Consumer<FakeDaemon> onceDestroyed = _ -> {};

  @BeforeEach
  void start() throws IOException {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, this::desiredStateChanged);
  }

  private void desiredStateChanged(FakeDaemon fake, String unit, String desired) {
    if (desired.equals("destroyed")) {
      Thread.ofVirtual().start(() -> onceDestroyed.accept(fake));
    }
  }

  @AfterEach
  void stop() throws IOException {
    daemon.close();
  }

  private Ran destroy() {
    // Minutes: a wait that does not end fails.
    return new Terminal(directory, directory.resolve("fleet.sock"))
        .run("destroy", "--block-attempts=90", UNIT);
  }

  /** The unit stays with a machine that was not there before. */
  private void keep(String machine, String standing) {
    var option = new UnitOptionEntity("ExecStart", "Service", "/bin/true");
    daemon.seed(
        List.of(
            new UnitEntity(
                "inactive",
                "launched",
                "",
                UNIT,
                List.of(option),
                "user root",
                null,
                "inc1",
                null,
                1L,
                "it is not there",
                "",
                List.of(),
                machine,
                List.of(),
                "",
                "")),
        List.of());
    absent(daemon, machine, standing);
  }

  private static void absent(FakeDaemon fake, String machine, String standing) {
    fake.absent(
        new ReschedulingEntity(List.of(AbsentMachineEntity.of(machine, standing, 1)), null));
    fake.unreported(List.of(UnreportedEntity.named(machine, List.of(UNIT))));
  }

  /** The place of the unit is over, as its machine gave it up or is lost. */
  private static void left(FakeDaemon fake) {
    fake.absent(new ReschedulingEntity(List.of(), null));
    fake.unreported(List.of());
    fake.tell("left", "{\"name\":\"left\",\"unit\":{\"name\":\"a.service\"}}");
  }

  private static Ran mayRunOn(String machine) {
    return new Ran(
        1,
        "Destroyed a.service\n",
        "Error waiting for units: unit a.service is destroyed, and its process may run on "
            + machine
            + ", which is not there and stops it when it is back\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"awaited", "maintenance"})
  void anAwaitedMachineHasItsTimeToComeBack(String standing) {
    onceDestroyed =
        fake -> {
          fake.awaitRequests(ASKED, 2);
          left(fake);
        };
    keep(FakeDaemon.MACHINE, standing);
    assertThat(destroy()).isEqualTo(new Ran(0, "Destroyed a.service\n", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"awaited", "maintenance"})
  void anAwaitedMachineThatIsLostMayRunTheUnit(String standing) {
    onceDestroyed =
        fake -> {
          fake.awaitRequests(ASKED, 2);
          left(fake);
        };
    keep(OTHER, standing);
    assertThat(destroy()).isEqualTo(mayRunOn(OTHER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"held", "lost"})
  void aMachineThatIsAwayForLongerIsToldAtOnce(String standing) {
    keep(OTHER, standing);
    assertThat(destroy()).isEqualTo(mayRunOn(OTHER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"awaited", "maintenance"})
  void aMachineThatGoesAwayMeanwhileIsWaitedFor(String standing) throws Exception {
    onceDestroyed =
        fake -> {
          fake.awaitRequests("/state", 1);
          absent(fake, FakeDaemon.MACHINE, standing);
          fake.silent(UNIT);
          fake.awaitRequests(ASKED, 2);
          left(fake);
        };
    daemon.add(UNIT, TEXT, "launched");
    assertThat(destroy()).isEqualTo(new Ran(0, "Destroyed a.service\n", ""));
    assertThat(daemon.requests())
        .filteredOn(request -> request.contains(ASKED))
        .hasSizeGreaterThan(1);
  }
}
