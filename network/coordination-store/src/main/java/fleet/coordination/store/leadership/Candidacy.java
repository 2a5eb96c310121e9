package fleet.coordination.store.leadership;

import fleet.core.machine.HostPort;
import fleet.core.machine.Machine;
import fleet.registry.Entry;
import fleet.registry.records.LeaderRecord;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways of a standby to the lead, by the state of the leader's key. Belongs to the loop of its
 * election.
 */
final class Candidacy {

  private static final Logger log = LoggerFactory.getLogger(Candidacy.class);

  private final LeaderKey key;
  private final Machine machine;

  /** The value of the leader's key while this engine leads. */
  private LeaderRecord record;

  /** Token of a lead that an earlier process of this boot left. */
  private Optional<Long> left = Optional.empty();

  /**
   * @param record that this engine leads with
   */
  Candidacy(LeaderKey key, Machine machine, LeaderRecord record) {
    this.key = key;
    this.machine = machine;
    this.record = record;
  }

  /** This engine would lead with another record from now on. */
  void is(LeaderRecord changed) {
    record = changed;
  }

  /**
   * Something to ask the store for.
   *
   * @param what it is, for messages
   * @param call waits for the store; empty if this engine does not lead then
   * @param continuous whether the cluster was led until a moment ago
   */
  record Attempt(String what, Supplier<Optional<LeaderKey.Held>> call, boolean continuous) {}

  /** The key as it stood when this process began. */
  void begin(LeaderSighting sighting) {
    left = sighting.entry().filter(_ -> sighting.isOf(machine)).map(Entry::created);
  }

  /**
   * The next attempt to lead; empty if there is nothing to try.
   *
   * @param further whether this engine reaches machines that the leader does not
   */
  Optional<Attempt> next(LeaderSighting sighting, boolean ledJustNow, boolean further) {
    return sighting.entry().isEmpty()
        ? Optional.of(candidacy(record, ledJustNow))
        : replace(sighting, sighting.entry().get(), record, further);
  }

  private Attempt candidacy(LeaderRecord with, boolean ledJustNow) {
    return new Attempt("candidacy", () -> key.create(with), ledJustNow);
  }

  private Optional<Attempt> replace(
      LeaderSighting sighting, Entry leader, LeaderRecord with, boolean further) {
    if (key.isOwn(leader)) {
      // An attempt with an unknown outcome.
      return Optional.of(new Attempt("takeover", () -> key.takeOver(leader, with), true));
    }
    if (left.filter(token -> token == leader.created()).isPresent()) {
      return Optional.of(new Attempt("takeover", () -> takeOverWhatWasLeft(leader, with), true));
    }
    if (sighting.isOlderThan(EngineVersionGate.OURS)) {
      return Optional.of(deposition(leader, "that is older than this one"));
    }
    return further
        ? Optional.of(deposition(leader, "that machines which have joined cannot speak to"))
        : Optional.empty();
  }

  /** An attempt has been answered; what an earlier process left is not for another one. */
  void answered() {
    left = Optional.empty();
  }

  /** Unless the process that leads lives: then it is a second fleetd that runs here. */
  private Optional<LeaderKey.Held> takeOverWhatWasLeft(Entry leader, LeaderRecord with) {
    String address = LeaderRecord.of(leader).address();
    boolean lives =
        !address.equals(with.address())
            && HostPort.parse(address).filter(LeaderProbe::answers).isPresent();
    if (lives) {
      log.warn(
          "leadership: another fleetd of this machine leads and listens on {}; this one stands by",
          address);
      return Optional.empty();
    }
    return key.takeOver(leader, with);
  }

  private Attempt deposition(Entry leader, String which) {
    return new Attempt("deposition", () -> depose(leader, which), true);
  }

  private Optional<LeaderKey.Held> depose(Entry leader, String which) {
    if (key.depose(leader.created(), _ -> true)) {
      log.info("leadership: took the lead from an engine {}", which);
    }
    return Optional.empty();
  }
}
