package fleet.engine.decide;

import fleet.engine.state.KnownUnit;
import fleet.engine.state.Placed;
import java.util.Optional;

/**
 * All that counts for the next step of one unit that is not global.
 *
 * @param known the unit; empty if it was destroyed
 * @param placed its entry in a schedule
 * @param left whether the machine has told that it does not have what the entry names
 * @param lost whether the entry's machine is gone for good as far as the cluster can tell
 * @param ended whether the unit had run to its end there by itself when it left, or its machine was
 *     lost
 * @param unfit why the unit may not stay where it is; empty if it may
 * @param drained why it is to go elsewhere though it may stay; empty if nobody wants that
 */
public record Situation(
    Optional<KnownUnit> known,
    Optional<Placed> placed,
    boolean left,
    boolean lost,
    boolean ended,
    Optional<String> unfit,
    Optional<String> drained) {}
