package fleet.scheduler;

import java.util.List;

/** All rules. A new filter or strategy is a class, and a line here. */
final class Rules {

  private Rules() {}

  /** In the order in which a machine is judged, and explained: first those of fleet 1.0. */
  static List<Filter> filters() {
    return List.of(
        new MachineIdFilter(),
        new MetadataFilter(),
        new MachineOfFilter(),
        new ConflictsFilter(),
        new ReplacesFilter(),
        new NameFilter(),
        new CordonFilter(),
        new MetadataAffinityFilter(),
        new UnitAffinityFilter(),
        new PortsFilter(),
        new MaxPerMachineFilter(),
        new ResourcesFilter());
  }

  /**
   * The first is the cluster's until another is set.
   *
   * @param seed of all lots that are drawn
   */
  static List<Strategy> strategies(long seed) {
    return List.of(
        new LeastLoaded(), new Spread(), new BinPack(), new RandomStrategy(seed), new BestBid());
  }
}
