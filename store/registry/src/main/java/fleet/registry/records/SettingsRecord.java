package fleet.registry.records;

import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Drain;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.registry.Entry;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The value of {@code settings/<machine>}: what people set on a machine through the API, on top of
 * what the machine says of itself.
 *
 * @param metadata keys that were set, with their values
 * @param removed keys of the machine's own metadata that were taken away
 * @param cordoned whether the machine gets no new units
 * @param drain how those that it has are to go elsewhere, if they are; only of one that is cordoned
 * @param maintenance its maintenance window, until the leader or somebody ends it
 */
public record SettingsRecord(
    Map<String, String> metadata,
    Set<String> removed,
    boolean cordoned,
    Optional<Drain> drain,
    Optional<Maintenance> maintenance,
    UnknownFields unknown) {

  public static final SettingsRecord NONE = new SettingsRecord(Map.of(), Set.of(), false);

  public SettingsRecord {
    metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    removed = Collections.unmodifiableSet(new TreeSet<>(removed));
    // An older fleet that ends a cordon leaves the rest as it was.
    drain = cordoned ? drain : Optional.empty();
  }

  public SettingsRecord(Map<String, String> metadata, Set<String> removed, boolean cordoned) {
    this(metadata, removed, cordoned, Optional.empty(), Optional.empty(), UnknownFields.NONE);
  }

  public static SettingsRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new SettingsRecord(
        fields.textsByName("metadata"),
        OrderedCopy.of(fields.texts("removed")),
        fields.truth("cordoned"),
        drain(fields),
        maintenance(fields),
        fields.rest());
  }

  private static Optional<Maintenance> maintenance(FieldReader fields) {
    String by = fields.text("maintenanceBy", "");
    String hostname = fields.text("maintenanceHostname", "");
    return fields
        .instantIfAny("maintenanceUntil")
        .map(until -> new Maintenance(until, by, hostname));
  }

  private static Optional<Drain> drain(FieldReader fields) {
    String by = fields.text("drainedBy", "");
    Instant started = fields.instantIfAny("drainStarted").orElse(Instant.EPOCH);
    boolean paused = fields.isTrue("drainPaused");
    int most = fields.count("maxUnavailable", 0);
    return most == 0 ? Optional.empty() : Optional.of(new Drain(most, by, started, paused));
  }

  public String json() {
    FieldWriter fields =
        new FieldWriter()
            .put("metadata", metadata)
            .put("removed", List.copyOf(removed))
            .put("cordoned", cordoned);
    drain.ifPresent(asked ->
        fields
            .put("drainedBy", asked.by())
            .put("drainStarted", asked.started())
            .put("drainPaused", asked.paused())
            .put("maxUnavailable", asked.maxUnavailable()));
    maintenance.ifPresent(window ->
        fields
            .put("maintenanceUntil", window.until())
            .put("maintenanceBy", window.by())
            .put("maintenanceHostname", window.hostname()));
    return fields.render(unknown);
  }

  public SettingsRecord withMetadata(String key, String value) {
    Map<String, String> more = new TreeMap<>(metadata);
    more.put(key, value);
    Set<String> fewer = new TreeSet<>(removed);
    fewer.remove(key);
    return new SettingsRecord(more, fewer, cordoned, drain, maintenance, unknown);
  }

  public SettingsRecord withoutMetadata(String key) {
    Map<String, String> fewer = new TreeMap<>(metadata);
    fewer.remove(key);
    Set<String> more = new TreeSet<>(removed);
    more.add(key);
    return new SettingsRecord(fewer, more, cordoned, drain, maintenance, unknown);
  }

  /** The same with or without a cordon; without one, nothing is drained either. */
  public SettingsRecord withCordoned(boolean cordon) {
    return new SettingsRecord(metadata, removed, cordon, drain, maintenance, unknown);
  }

  /** The same, cordoned and drained. */
  public SettingsRecord withDrain(Drain asked) {
    return new SettingsRecord(metadata, removed, true, Optional.of(asked), maintenance, unknown);
  }

  /** The same in maintenance, or in none. */
  public SettingsRecord withMaintenance(Optional<Maintenance> window) {
    return new SettingsRecord(metadata, removed, cordoned, drain, window, unknown);
  }

  /** The machine as the cluster sees it: its own description, with these settings. */
  public Machine applyTo(Machine own) {
    return own.withMetadata(applyTo(own.metadata()))
        .withMaintenance(maintenance.map(Maintenance::until));
  }

  /** The metadata that counts, out of what the machine says of itself. */
  public Map<String, String> applyTo(Map<String, String> own) {
    Map<String, String> result = new TreeMap<>(own);
    result.keySet().removeAll(removed);
    result.putAll(metadata);
    return result;
  }
}
