package fleet.fleetd;

import fleet.fleetd.memory.IdleHeap;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import java.nio.file.Path;
import java.util.List;

/**
 * fleetd on the registry that is configured, after a moment with an embedded one: packaging records
 * this run, which makes fleetd start fast with either.
 */
public final class FleetdRehearsal {

  private FleetdRehearsal() {}

  /** Takes the directory of an embedded registry, and then what fleetd takes. */
  public static void main(String[] arguments) throws Exception {
    List<String> all = List.of(arguments);
    try (Registry registry = EmbeddedRegistry.open(Path.of(all.getFirst()))) {
      registry.commit(Transaction.when().absent("rehearsal").put("rehearsal", "").build());
      registry.read("");
    }
    IdleHeap.giveBack();
    Main.main(all.subList(1, all.size()).toArray(String[]::new));
  }
}
