package fleet.registry.records;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.registry.Entry;
import java.time.Duration;

/**
 * The value of {@code machine/<id>}, there as long as the machine is.
 *
 * @param machine as it presents itself, without what {@link SettingsRecord} adds
 * @param ttl how long its lease lasts from one renewal to the next, as it was asked for; zero where
 *     it is on none
 */
public record MachineRecord(Machine machine, Duration ttl, UnknownFields unknown) {

  private static final String TTL = "ttlMillis";

  public MachineRecord(Machine machine) {
    this(machine, Duration.ZERO);
  }

  public MachineRecord(Machine machine, Duration ttl) {
    this(machine, ttl, UnknownFields.NONE);
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
        Duration.ofMillis(fields.number(TTL, 0)),
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
        .put(TTL, ttl.toMillis())
        .render(unknown);
  }
}
