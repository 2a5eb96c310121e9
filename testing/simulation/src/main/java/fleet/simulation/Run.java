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
  static final Duration TO_SETTLE = Duration.ofSeconds(150);

  private static final Duration QUIET = Duration.ofSeconds(60);

  private static final Duration TO_ANSWER = Duration.ofSeconds(1);

  private final World world;
  private final Story story;
  private final Duration chaos;

  private Run(World world, Story story, Duration chaos) {
    this.world = world;
    this.story = story;
    this.chaos = chaos;
  }

  /** The life that belongs to a seed. */
  public static Run ofSeed(long seed, World.Settings settings, Duration chaos) {
    return new Run(new World(seed, settings), story(seed, settings, chaos), chaos);
  }

  /** The life of that seed's world in which something else happens. */
  static Run of(long seed, World.Settings settings, Story story, Duration chaos) {
    return new Run(new World(seed, settings), story, chaos);
  }

  static Story story(long seed, World.Settings settings, Duration chaos) {
    boolean speaks = settings.fleetd().coordination() != Coordination.STORE;
    return new StoryWriter(seed, settings.machines(), speaks).write(chaos);
  }

  /**
   * Lives it.
   *
   * @return a checksum of all that happened
   * @throws Violation if an invariant breaks
   */
  public String live() {
    var stage = new Stage(world);
    story.begin(stage);
    world.run(chaos);
    stage.end();
    world.run(TO_SETTLE);
    new ConvergenceCheck(world, told()).require();
    requireQuiet();
    return world.simulation().trace().checksum();
  }

  /** The machines and units that the leader reports. */
  private ConvergenceCheck.Told told() {
    List<ConvergenceCheck.Told> answers = new ArrayList<>();
    world
        .leader()
        .flatMap(SimulatedMachine::fleetd)
        .ifPresent(fleetd -> fleetd.query(Run::told, answers::add));
    world.run(TO_ANSWER);
    return answers.stream()
        .findFirst()
        .orElseThrow(() -> new Violation(Rule.SETTLES, "no leader answers a question"));
  }

  private static ConvergenceCheck.Told told(Cluster cluster) {
    return new ConvergenceCheck.Told(
        cluster.machines().stream().map(MachineView::id).collect(Collectors.toSet()),
        cluster.states().reported());
  }

  private void requireQuiet() {
    String before = world.simulation().trace().checksum();
    world.run(QUIET);
    if (!world.simulation().trace().checksum().equals(before)) {
      throw new Violation(
          Rule.SETTLES,
          "something still happens long after the last fault; the end of the trace shows what");
    }
  }

  /** The trace of the run, to read. */
  public String trace() {
    return world.simulation().trace().text();
  }
}
