package fleet.registry.records;

import fleet.core.access.AccessRole;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.requirements.Glob;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.util.List;
import java.util.Map;

/**
 * The value of {@code access/<subject>}: what somebody may do.
 *
 * @param units patterns of unit names; empty for all
 * @param metadata what machines must have; empty for all machines
 * @param by who gave it
 */
public record GrantRecord(
    AccessRole role,
    List<String> units,
    Map<String, String> metadata,
    String by,
    UnknownFields unknown) {

  /** The record of a grant. */
  public GrantRecord(Grant grant, String by) {
    this(
        grant.role(),
        grant.units().stream().map(Glob::pattern).toList(),
        grant.metadata(),
        by,
        UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws RegistryException where the value is not one of these
   */
  public static GrantRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new GrantRecord(
        fields.meaning("role", AccessRole::ofText),
        fields.texts("units"),
        fields.textsByName("metadata"),
        fields.text("by"),
        fields.rest());
  }

  /** The value to store. */
  public String json() {
    return new FieldWriter()
        .put("role", role.text())
        .put("units", units)
        .put("metadata", metadata)
        .put("by", by)
        .render(unknown);
  }

  public Grant grant(GrantHolder holder) {
    return new Grant(holder, role, units.stream().map(Glob::new).toList(), metadata);
  }
}
