package fleet.trust;

import fleet.cluster.ClusterUnavailableException;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import java.util.function.Supplier;

/** Commands that the registry carries out. */
final class RegistryCalls {

  private RegistryCalls() {}

  /**
   * Gives the answer to a command.
   *
   * @throws ClusterUnavailableException if the registry does not answer
   */
  static <T> T answered(Supplier<T> call) {
    try {
      return call.get();
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  /** The same change, with an event for the command. */
  static Transaction.Builder withCommandEvent(
      Transaction.Builder change, String subject, String command, String details, String by) {
    return change.put(
        Keys.command(subject), new CommandRecord(subject, command, details, by).json());
  }
}
