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

  /** The smaller of two sets that both contain all suitable machines. */
  default Candidates fewer(Candidates other) {
    return other.count() < count() ? other : this;
  }
}
