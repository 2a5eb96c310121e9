package fleet.registry.backup;

import fleet.core.machine.Role;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.IdentityRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Entries of a backup as they are restored, so that they hold for machines that have gone on since.
 * A record that cannot be read is restored as it is. Pure.
 *
 * <p>Machines may have started units since, and pass over a start whose restart counter they have
 * had. So the counters go on from the time, in seconds: a unit is started less often than once a
 * second, and a second restore is later than the first.
 *
 * <p>Joined machines may have renewed their certificates, with other keys. A machine for which that
 * was due is not bound to its key in the backup: it is bound to the one that it comes with.
 *
 * @param now the time of the restore
 * @param renewal for how long before the end of its certificate a machine may have another
 */
record RestoredEntries(Instant now, Duration renewal) {

  /** The value to restore; empty if the entry is left out. */
  Optional<String> value(Entry entry) {
    try {
      if (entry.key().startsWith(Keys.UNITS)) {
        return Optional.of(UnitRecord.of(entry).withCountersTaken(now.getEpochSecond()).json());
      }
      return entry.key().startsWith(Keys.IDENTITIES) && mayBeRenewed(IdentityRecord.of(entry))
          ? Optional.empty()
          : Optional.of(entry.value());
    } catch (RegistryException damaged) {
      return Optional.of(entry.value());
    }
  }

  /** A removed machine stays out, and a server vouches for itself. */
  private boolean mayBeRenewed(IdentityRecord machine) {
    return machine.role() == Role.AGENT
        && machine.removal().isEmpty()
        && machine.trust().filter(said -> !now.isBefore(said.ends().minus(renewal))).isPresent();
  }
}
