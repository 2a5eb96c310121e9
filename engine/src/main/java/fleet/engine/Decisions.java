package fleet.engine;

import fleet.core.unit.UnitName;
import fleet.engine.decide.Writes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One batch of decisions.
 *
 * @param considered the units that were looked at
 * @param messages what to log once the writes are durable
 */
record Decisions(Writes writes, Set<UnitName> considered, List<String> messages) {
  static Decisions none() {
    return new Decisions(new Writes(), new LinkedHashSet<>(), new ArrayList<>());
  }
}
