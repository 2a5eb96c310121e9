package fleet.engine;

import fleet.core.unit.UnitName;
import fleet.engine.decide.Writes;
import java.util.List;

/**
 * One batch of decisions.
 *
 * @param considered the units that were looked at
 * @param messages what to log once the writes are durable
 */
record Decisions(Writes writes, List<UnitName> considered, List<String> messages) {}
