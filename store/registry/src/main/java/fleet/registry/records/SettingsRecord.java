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

  private static final String DRAINED_BY = "drainedBy";
  private static final String DRAIN_STARTED = "drainStarted";
  private static final String DRAIN_PAUSED = "drainPaused";
  private static final String MAX_UNAVAILABLE = "maxUnavailable";
  private static final String MAINTENANCE_UNTIL = "maintenanceUntil";
  private static final String MAINTENANCE_BY = "maintenanceBy";
  private static final String MAINTENANCE_HOSTNAME = "maintenanceHostname";

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
    String by = fields.text(MAINTENANCE_BY, "");
    String hostname = fields.text(MAINTENANCE_HOSTNAME, "");
    return fields.has(MAINTENANCE_UNTIL)
        ? Optional.of(new Maintenance(fields.instant(MAINTENANCE_UNTIL), by, hostname))
        : Optional.empty();
  }

  private static Optional<Drain> drain(FieldReader fields) {
    String by = fields.text(DRAINED_BY, "");
    Instant started = fields.has(DRAIN_STARTED) ? fields.instant(DRAIN_STARTED) : Instant.EPOCH;
    boolean paused = fields.has(DRAIN_PAUSED) && fields.truth(DRAIN_PAUSED);
    int most = fields.has(MAX_UNAVAILABLE) ? fields.count(MAX_UNAVAILABLE) : 0;
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
            .put(DRAINED_BY, asked.by())
            .put(DRAIN_STARTED, asked.started().toString())
            .put(DRAIN_PAUSED, asked.paused())
            .put(MAX_UNAVAILABLE, asked.maxUnavailable()));
    maintenance.ifPresent(window ->
        fields
            .put(MAINTENANCE_UNTIL, window.until().toString())
            .put(MAINTENANCE_BY, window.by())
            .put(MAINTENANCE_HOSTNAME, window.hostname()));
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
