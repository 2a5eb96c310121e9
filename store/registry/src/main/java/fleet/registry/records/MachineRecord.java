package fleet.registry.records;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.time.Duration;
import java.util.Optional;

/**
 * The value of {@code machine/<id>}, there as long as the machine is.
 *
 * @param machine as it presents itself, without what {@link SettingsRecord} adds
 * @param ttl how long its lease lasts from one renewal to the next, as it was asked for; zero if it
 *     is on none
 * @param leaving whether this is its last word, so that nobody takes it for one that vanished
 * @param standIn whether the leader wrote it for a machine that speaks to it, on a lease of its own
 */
public record MachineRecord(
    Machine machine, Duration ttl, boolean leaving, boolean standIn, UnknownFields unknown) {

  public MachineRecord(Machine machine, Duration ttl) {
    this(machine, ttl, false, false, UnknownFields.NONE);
  }

  public static MachineRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    Machine machine =
        new Machine(
            Keys.machineOf(entry.key()),
            fields.text("bootId"),
            fields.text("publicIp"),
            fields.textsByName("metadata"),
            fields.text("version"),
            fields.meaning("isolation", Isolation::ofText),
            new Resources(
                fields.number("cpuMillis", 0),
                fields.number("memory", 0),
                fields.number("disk", 0),
                fields.number("tasks", 0)),
            new Resources(
                fields.number("keptCpuMillis", 0),
                fields.number("keptMemory", 0),
                fields.number("keptDisk", 0),
                fields.number("keptTasks", 0)),
            fields.text("hostname", ""),
            fields.text("architecture", ""),
            Optional.empty());
    return new MachineRecord(
        checked(entry, machine),
        Duration.ofMillis(fields.number("ttlMillis", 0)),
        fields.isTrue("leaving"),
        fields.isTrue("standIn"),
        fields.rest());
  }

  static Machine checked(Entry entry, Machine machine) {
    machine
        .objection()
        .ifPresent(what -> {
          throw new RegistryException(
              "value of key %s in the registry: %s".formatted(entry.key(), what));
        });
    return machine;
  }

  public String json() {
    return new FieldWriter()
        .putIfAny("hostname", machine.hostname())
        .putIfAny("architecture", machine.architecture())
        .put("bootId", machine.bootId())
        .put("publicIp", machine.publicIp())
        .put("metadata", machine.metadata())
        .put("version", machine.version())
        .put("isolation", machine.isolation().text())
        .put("cpuMillis", machine.total().cpuMillis())
        .put("memory", machine.total().memory())
        .put("disk", machine.total().disk())
        .put("tasks", machine.total().tasks())
        .put("keptCpuMillis", machine.kept().cpuMillis())
        .put("keptMemory", machine.kept().memory())
        .put("keptDisk", machine.kept().disk())
        .put("keptTasks", machine.kept().tasks())
        .put("ttlMillis", ttl.toMillis())
        .put("leaving", leaving)
        .put("standIn", standIn)
        .render(unknown);
  }

  /** The last word of a machine that goes for good. */
  public MachineRecord asLeaving() {
    return new MachineRecord(machine, ttl, true, standIn, unknown);
  }

  /** One that the leader writes for the machine. */
  public MachineRecord asStandIn() {
    return new MachineRecord(machine, ttl, leaving, true, unknown);
  }
}
