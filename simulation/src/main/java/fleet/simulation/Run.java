package fleet.simulation;

import fleet.cluster.Cluster;
import fleet.cluster.MachineView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One life of a world: faults and commands for some time, then none any more, until all is settled
 * and nothing happens.
 */
public final class Run {

  /** How long after the last fault every unit that can run runs. */
  static final Duration TO_SETTLE = Duration.ofSeconds(90);

  private static final Duration QUIET = Duration.ofSeconds(60);

  private static final Duration TO_ANSWER = Duration.ofSeconds(1);

  private final World world;
  private final Duration chaos;

  public Run(long seed, World.Settings settings, Duration chaos) {
    this.world = new World(seed, settings);
    this.chaos = chaos;
  }

  /**
   * Lives it.
   *
   * @return a checksum of all that happened
   * @throws Violation where an invariant breaks
   */
  public String live() {
    var misfortune = new Chaos(world);
    misfortune.begin();
    world.run(chaos);
    misfortune.end();
    world.run(TO_SETTLE);
    new Settled(world, told()).require();
    requireQuiet();
    return world.simulation().trace().checksum();
  }

  /** What the leader tells of machines and units. */
  private Settled.Told told() {
    List<Settled.Told> answers = new ArrayList<>();
    world
        .leader()
        .flatMap(SimulatedMachine::fleetd)
        .ifPresent(fleetd -> fleetd.query(Run::told, answers::add));
    world.run(TO_ANSWER);
    return answers.stream()
        .findFirst()
        .orElseThrow(() -> new Violation(5, "no leader answers a question"));
  }

  private static Settled.Told told(Cluster cluster) {
    return new Settled.Told(
        cluster.machines().stream().map(MachineView::id).collect(Collectors.toSet()),
        cluster.states().reported());
  }

  private void requireQuiet() {
    String before = world.simulation().trace().checksum();
    world.run(QUIET);
    if (!world.simulation().trace().checksum().equals(before)) {
      throw new Violation(
          5, "something still happens long after the last fault; the end of the trace shows what");
    }
  }

  /** What happened, to read. */
  public String trace() {
    return world.simulation().trace().text();
  }
}
