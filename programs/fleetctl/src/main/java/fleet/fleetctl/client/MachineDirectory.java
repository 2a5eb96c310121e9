package fleet.fleetctl.client;

import java.util.List;

/**
 * Names of machines for commands that tell of events. The list is requested at the first mention of
 * an unknown machine; machines that are gone since then keep their names. For one thread.
 */
public final class MachineDirectory {

  private final FleetClient client;
  private final boolean full;
  private MachineNames names;

  /** The last text with unknown machines, for which the list is not requested again. */
  private String unknown = "";

  /**
   * Requests nothing yet.
   *
   * @param full whether ids are shown whole
   * @param forPeople whether machines are shown by their hostnames otherwise
   */
  public MachineDirectory(FleetClient client, boolean full, boolean forPeople) {
    this.client = client;
    this.full = full;
    this.names = new MachineNames(List.of(), forPeople);
  }

  /**
   * Requests the list now, so that a machine that goes before its first mention has its name as
   * well.
   */
  public void learn() {
    boolean _ = hasLearned();
  }

  /** The name of a machine by its id; a part of its id if fleetd does not answer. */
  public String of(String id) {
    return names.isKnown(id) || hasLearned() || full
        ? names.of(id, full)
        : MachineNames.shortId(id);
  }

  /** Replaces ids of machines in a text of the cluster by their names. */
  public String in(String text) {
    if (!names.knowsAllIn(text) && !unknown.equals(text)) {
      boolean _ = hasLearned();
      unknown = names.knowsAllIn(text) ? "" : text;
    }
    return names.in(text);
  }

  private boolean hasLearned() {
    try {
      names = names.with(client.machines().listAll());
      return true;
    } catch (FleetException e) {
      return false;
    }
  }
}
