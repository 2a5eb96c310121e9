package fleet.engine.decide;

import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.scheduler.Decision;
import java.util.Optional;

/**
 * All that counts for the next step of one unit that is not global.
 *
 * @param known the unit; empty if it was destroyed
 * @param placed its entry in a schedule
 * @param reportedGone whether the machine has reported that it does not have the unit of the entry
 * @param lost whether the cluster has given up the entry's machine
 * @param ended whether the unit had run to its end there by itself when it left, or its machine was
 *     lost
 * @param unfit why the unit may not stay where it is; empty if it may
 * @param inPlace the decision to leave the unit there with its new content; empty if its content is
 *     the same, or may not stay there
 * @param moveReason why it is to move although it may stay; empty if it is not
 */
public record UnitSituation(
    Optional<KnownUnit> known,
    Optional<ScheduledUnit> placed,
    boolean reportedGone,
    boolean lost,
    boolean ended,
    Optional<String> unfit,
    Optional<Decision.Placed> inPlace,
    Optional<String> moveReason) {}
