package fleet.fleetctl.client;

import java.util.List;

/**
 * Names of machines for commands that tell of events. The list is asked for when a machine is first
 * mentioned that is not known, and machines that are gone since keep their names. For one thread.
 */
public final class MachineDirectory {

  private final FleetClient client;
  private final boolean full;
  private MachineNames names = new MachineNames(List.of());

  /** The last text with unknown machines: the same one is no reason to ask again. */
  private String unknown = "";

  /**
   * Asks for nothing yet.
   *
   * @param full whether ids are shown whole
   */
  public MachineDirectory(FleetClient client, boolean full) {
    this.client = client;
    this.full = full;
  }

  /** Asks now, so that a machine that goes before it is first spoken of has its name as well. */
  public void learn() {
    boolean _ = hasLearned();
  }

  /** The name of a machine by its id; a part of its id if nobody can be asked. */
  public String of(String id) {
    return names.isKnown(id) || hasLearned() || full
        ? names.of(id, full)
        : MachineNames.shortId(id);
  }

  /** A text of the cluster's, with the names of the machines that it speaks of by their ids. */
  public String in(String text) {
    if (!names.knowsAllIn(text) && !unknown.equals(text)) {
      boolean _ = hasLearned();
      unknown = names.knowsAllIn(text) ? "" : text;
    }
    return names.in(text);
  }

  private boolean hasLearned() {
    try {
      names = names.with(client.machines().list());
      return true;
    } catch (FleetException e) {
      return false;
    }
  }
}
