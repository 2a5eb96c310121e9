package fleet.registry.records;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.registry.Entry;

/**
 * The value of {@code machine/<id>}, there as long as the machine is.
 *
 * @param machine as it presents itself, without what {@link SettingsRecord} adds
 */
public record MachineRecord(Machine machine, UnknownFields unknown) {

  public MachineRecord(Machine machine) {
    this(machine, UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws fleet.registry.RegistryException where the value is not one of these
   */
  public static MachineRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new MachineRecord(
        new Machine(
            Keys.machineOf(entry.key()),
            fields.text("bootId"),
            fields.text("publicIp"),
            fields.textsByName("metadata"),
            fields.text("version"),
            fields.meaning("isolation", Isolation::ofText)),
        fields.rest());
  }

  /** The value to store. */
  public String json() {
    return new FieldWriter()
        .put("bootId", machine.bootId())
        .put("publicIp", machine.publicIp())
        .put("metadata", machine.metadata())
        .put("version", machine.version())
        .put("isolation", machine.isolation().text())
        .render(unknown);
  }
}
