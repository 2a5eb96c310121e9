package fleet.engine;

import fleet.core.unit.Dependencies;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds the units that should reach a machine together. An agent starts a unit after the units that
 * it names, if it knows of them; so one transaction should have all of them. Decides nothing and
 * changes nothing. Owned by the state thread.
 */
final class Companions {

  private final ClusterState cluster;

  Companions(ClusterState cluster) {
    this.cluster = cluster;
  }

  /**
   * Returns a unit that needs a machine, with the units that it names and those on whose machine it
   * has to be, in the order in which to decide them; any other unit by itself.
   *
   * @param most how many there may be
   * @param undecided whether a unit is still to be decided
   */
  List<UnitName> of(UnitName unit, int most, Predicate<UnitName> undecided) {
    var group = new Group(most, undecided);
    group.add(unit);
    return group.units;
  }

  private final class Group {
    private final int most;
    private final Predicate<UnitName> undecided;
    private final Set<UnitName> seen = new HashSet<>();
    private final List<UnitName> units = new ArrayList<>();

    Group(int most, Predicate<UnitName> undecided) {
      this.most = most;
      this.undecided = undecided;
    }

    /** Recurses at most as deep as the group is large. */
    void add(UnitName unit) {
      seen.add(unit);
      Optional<KnownUnit> coming = cluster.units().of(unit).filter(Companions.this::needsMachine);
      coming.ifPresent(known -> peers(known).forEach(this::addIfUndecided));
      units.add(unit);
      coming.ifPresent(
          known -> Dependencies.of(unit, known.unit().file()).forEach(this::addIfUndecided));
    }

    private void addIfUndecided(UnitName unit) {
      if (seen.size() < most && !seen.contains(unit) && undecided.test(unit)) {
        add(unit);
      }
    }
  }

  private boolean needsMachine(KnownUnit known) {
    return known.wantsPlace()
        && cluster
            .schedule()
            .of(known.unit().name())
            .filter(
                placed -> cluster.isThere(placed.machine()) && !cluster.reports().isGone(placed))
            .isEmpty();
  }

  private static List<UnitName> peers(KnownUnit known) {
    return known.requirements().machineOf().stream()
        .flatMap(peer -> unitName(peer).stream())
        .toList();
  }

  private static Optional<UnitName> unitName(String text) {
    try {
      return Optional.of(UnitName.of(text));
    } catch (InvalidUnitNameException noUnitIsCalledThat) {
      return Optional.empty();
    }
  }
}
