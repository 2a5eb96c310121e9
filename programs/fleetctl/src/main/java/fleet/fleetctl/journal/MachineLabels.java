package fleet.fleetctl.journal;

import fleet.entities.JournalEntry;
import java.util.HashMap;
import java.util.Map;

/**
 * Names of machines in the journal: their host names, as journalctl shows them, with the beginning
 * of the id if two have the same. For one thread.
 */
final class MachineLabels {

  private static final int SHORT_ID = 8;
  private static final String NOBODY = "";

  private final Map<String, String> machines = new HashMap<>();

  /** The machine that an entry is from. */
  String of(JournalEntry entry) {
    String machine = entry.field(JournalEntry.MACHINE).orElse("?");
    String name = EntryText.plain(entry, "_HOSTNAME", shortId(machine));
    String holder = machines.computeIfAbsent(name, _ -> machine);
    if (!holder.equals(machine)) {
      machines.put(name, NOBODY);
    }
    return holder.equals(machine) ? name : name + "/" + shortId(machine);
  }

  private static String shortId(String machine) {
    return machine.length() > SHORT_ID ? machine.substring(0, SHORT_ID) : machine;
  }
}
