package fleet.cluster;

import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Set;

/** What somebody thinks of asking for, to be told first what would follow. */
public sealed interface Intent {

  /** Units are created, replaced or changed. */
  record Put(List<UnitPut> puts) implements Intent {
    public Put {
      puts = List.copyOf(puts);
    }
  }

  record Destroy(Set<UnitName> units) implements Intent {
    public Destroy {
      units = Set.copyOf(units);
    }
  }

  record Drain(String machine, int maxUnavailable) implements Intent {}

  /** A machine is lost for good. */
  record Lose(String machine) implements Intent {}
}
