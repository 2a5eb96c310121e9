package fleet.fleetd;

import fleet.core.machine.Machine;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.move.OccupiedException;
import fleet.registry.move.RegistryMove;
import fleet.registry.records.MoveRecord;
import fleet.trust.TrustException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the embedded registry of a server into etcd, if etcd is configured now. Running units are
 * in etcd just as before.
 */
final class MoveToEtcd {

  private static final Logger LOG = LoggerFactory.getLogger(MoveToEtcd.class);

  private final Path data;
  private final Machine machine;
  private final String where;

  /**
   * @param data directory of an embedded registry
   * @param where the registry in etcd is, for people
   */
  MoveToEtcd(Path data, Machine machine, String where) {
    this.data = data;
    this.machine = machine;
    this.where = where;
  }

  /**
   * Refuses to go where others keep something, before anything is written there.
   *
   * @param strangers what is where no fleetd has been yet; asked for only if there is something to
   *     move
   * @throws FatalException if there is something
   */
  void expectRoom(Supplier<List<Entry>> strangers) throws FatalException {
    if (EmbeddedRegistry.isIn(data)) {
      try (EmbeddedRegistry embedded = EmbeddedRegistry.open(data)) {
        RegistryMove.expectNothingToLose(embedded, strangers.get());
      } catch (OccupiedException e) {
        throw refused(data, e);
      }
    }
  }

  /**
   * Returns once etcd has all, also if there was nothing to do.
   *
   * @throws FatalException if etcd has another registry
   * @throws RegistryException if one of both does not answer, or is damaged, or etcd is about to
   *     have another registry
   */
  void carryOut(Registry etcd) throws FatalException {
    if (EmbeddedRegistry.isIn(data)) {
      try (EmbeddedRegistry embedded = SealedRegistry.open(data, machine.id())) {
        move(embedded, etcd);
      } catch (TrustException | IOException e) {
        throw new FatalException("the authority's key cannot be sealed: " + e.getMessage(), e);
      }
    }
    Optional<MoveRecord> others = RegistryMove.underWay(etcd);
    if (others.isPresent()) {
      throw new RegistryException(
          ("the registry of machine %s is just being moved to %s, since %s: this fleetd begins once"
                  + " that is done; check that fleetd runs there")
              .formatted(others.get().machine(), where, others.get().since()));
    }
  }

  private void move(EmbeddedRegistry embedded, Registry etcd) throws FatalException {
    LOG.info("moving the registry from {} to {}", embedded.directory(), where);
    try {
      RegistryMove move = new RegistryMove(embedded, etcd, machine.id(), Clock.systemUTC());
      switch (move.carryOut()) {
        case RegistryMove.Result.Done(int keys, int units) -> {
          String counted = units == 1 ? "1 unit" : units + " units";
          LOG.info("moved it, with {}: {} keys are in {}", counted, keys, where);
          embedded.movedTo(where);
        }
        case RegistryMove.Result.DoneBefore() -> embedded.movedTo(where);
        case RegistryMove.Result.Unneeded() ->
            LOG.info("it has no units, and that one is in use: nothing is moved");
      }
    } catch (OccupiedException e) {
      throw refused(embedded.directory(), e);
    }
  }

  private FatalException refused(Path directory, OccupiedException why) {
    return FatalException.toCorrect(
        ("the registry of this machine, in %s, has units, and cannot be moved to %s, which is not"
                + " empty: %s; give it an etcd_key_prefix of its own, or remove etcd_servers,"
                + " destroy the units and set it again")
            .formatted(directory, where, why.getMessage()),
        why);
  }
}
