package fleet.cluster;

import fleet.core.desired.Unit;
import fleet.core.state.DesiredState;
import java.util.Optional;

/**
 * A unit with its state.
 *
 * @param current how far fleet has brought it; empty for global units
 * @param machine where it is placed; empty if it is not, and for global units
 * @param global whether it runs on every machine that fits
 * @param waiting why it has no place; empty if it has one, or needs none
 * @param refused set beside {@code waiting} if only a foreign unit of the same name is in the way,
 *     so that waiting will not help
 * @param reason why it was given the machine that it is on; empty if it is on none
 * @param keptOn the absent machine that it stays with, and where it may still run; empty if there
 *     is none, or that machine is lost and the unit moves
 * @param set that {@code apply} keeps it in; empty if none
 */
public record UnitView(
    Unit unit,
    Optional<DesiredState> current,
    Optional<String> machine,
    boolean global,
    String waiting,
    boolean refused,
    String reason,
    Optional<String> keptOn,
    String set) {}
