package fleet.registry.records;

import fleet.core.machine.Machine;
import fleet.registry.Entry;
import java.time.Instant;
import java.util.Map;

/**
 * The value of {@code departed/<machine>}: a machine that is lost or has left, so that lists go on
 * to name it. The leader writes it when the machine goes, and deletes it when the machine is back
 * or some time is over. The leader's own machine has one while it is there.
 *
 * @param machine its id, hostname, architecture, address, version and metadata, as far as known
 * @param left whether it said that it goes
 * @param leads whether it was there, and led, when this was written
 * @param removed whether somebody removed it from the cluster: no list names it
 */
public record DepartureRecord(
    Machine machine,
    boolean left,
    boolean leads,
    boolean removed,
    Instant since,
    UnknownFields unknown) {

  /** Longer descriptions are left out: many records have to fit into the store. */
  private static final int LONGEST = 4096;

  public DepartureRecord {
    machine =
        new Machine(machine.id(), "", machine.publicIp(), machine.metadata(), machine.version())
            .withHost(machine.hostname(), machine.architecture());
  }

  public DepartureRecord(Machine machine, boolean left, Instant since) {
    this(brief(machine), left, false, false, since, UnknownFields.NONE);
  }

  /** One of a machine of which nothing else is known. */
  public static DepartureRecord unknown(String machine, boolean left, Instant since) {
    return new DepartureRecord(new Machine(machine, "", "", Map.of(), ""), left, since);
  }

  /** One of the leader's own machine. */
  public static DepartureRecord leading(Machine machine, Instant since) {
    return new DepartureRecord(brief(machine), false, true, false, since, UnknownFields.NONE);
  }

  private static Machine brief(Machine machine) {
    return machine.length() > LONGEST ? new Machine(machine.id(), "", "", Map.of(), "") : machine;
  }

  public static DepartureRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    Machine machine =
        MachineRecord.checked(
            entry,
            new Machine(
                    Keys.machineOf(entry.key()),
                    "",
                    fields.text("publicIp"),
                    fields.textsByName("metadata"),
                    fields.text("version"))
                .withHost(fields.text("hostname"), fields.text("architecture")));
    return new DepartureRecord(
        machine,
        fields.truth("left"),
        fields.isTrue("leads"),
        fields.isTrue("removed"),
        fields.instant("since"),
        fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .put("hostname", machine.hostname())
        .put("architecture", machine.architecture())
        .put("publicIp", machine.publicIp())
        .put("version", machine.version())
        .put("metadata", machine.metadata())
        .put("left", left)
        .put("since", since)
        .putIfTrue("leads", leads)
        .putIfTrue("removed", removed)
        .render(unknown);
  }

  /** Whether a record of the leader's own machine is not to be written once more. */
  public boolean saysAlready(DepartureRecord leading) {
    return removed || (leads && machine.equals(leading.machine));
  }

  /** The same of a machine that lists are not to name. */
  public DepartureRecord asRemoved() {
    return new DepartureRecord(machine, left, false, true, since, unknown);
  }
}
