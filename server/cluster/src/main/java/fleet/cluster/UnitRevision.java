package fleet.cluster;

import fleet.core.unit.UnitFile;
import java.time.Instant;
import java.util.Optional;

/**
 * A content that a unit has or had.
 *
 * @param number rises with each content
 * @param current whether the unit has it now
 * @param hash of its text
 * @param created when the unit got it
 * @param by who gave it to the unit
 * @param cause the kind of command, such as {@code submit} or {@code rollout}; empty if not known
 * @param file only if it was asked for; empty also if the registry has lost it
 */
public record UnitRevision(
    long number,
    boolean current,
    String hash,
    Instant created,
    String by,
    String cause,
    Optional<UnitFile> file) {}
