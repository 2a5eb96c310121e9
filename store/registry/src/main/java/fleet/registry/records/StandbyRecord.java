package fleet.registry.records;

import fleet.registry.Entry;

/**
 * The value of {@code standby}, the seat of the warm standby. The leader offers it if there are so
 * many units that the next leader should know them beforehand; an engine that stands by takes it
 * for as long as the lease lives on which it writes its name there.
 *
 * @param machine id of the machine whose engine has the seat; empty if it is free
 */
public record StandbyRecord(String machine, UnknownFields unknown) {

  /** The seat, to be taken by anybody. */
  public static final StandbyRecord FREE = new StandbyRecord("");

  public StandbyRecord(String machine) {
    this(machine, UnknownFields.NONE);
  }

  public static StandbyRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new StandbyRecord(fields.text("machine"), fields.rest());
  }

  public String json() {
    return new FieldWriter().put("machine", machine).render(unknown);
  }

  public boolean isFree() {
    return machine.isEmpty();
  }
}
