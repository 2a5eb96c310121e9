package fleet.scheduler;

import java.util.Collection;
import java.util.List;

/** Machines of which one is to be chosen, in a form that tells how many there are at most. */
sealed interface Candidates {

  int count();

  /** A few, each of which is looked at; sorted by their ids. */
  record Few(Collection<MachineInfo> machines) implements Candidates {
    @Override
    public int count() {
      return machines.size();
    }
  }

  /** All those of some groups, no machine twice. */
  record Groups(List<MachineGroup> groups) implements Candidates {
    @Override
    public int count() {
      return Ranking.count(groups);
    }
  }

  /** Whichever of the two has fewer, if both have all that will do. */
  default Candidates fewer(Candidates other) {
    return other.count() < count() ? other : this;
  }
}
