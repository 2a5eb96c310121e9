package fleet.registry.records;

import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Drain;
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
 */
public record SettingsRecord(
    Map<String, String> metadata,
    Set<String> removed,
    boolean cordoned,
    Optional<Drain> drain,
    UnknownFields unknown) {

  private static final String DRAINED_BY = "drainedBy";
  private static final String DRAIN_STARTED = "drainStarted";
  private static final String DRAIN_PAUSED = "drainPaused";
  private static final String MAX_UNAVAILABLE = "maxUnavailable";

  public static final SettingsRecord NONE = new SettingsRecord(Map.of(), Set.of(), false);

  public SettingsRecord {
    metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    removed = Collections.unmodifiableSet(new TreeSet<>(removed));
    // An older fleet that ends a cordon leaves the rest as it was.
    drain = cordoned ? drain : Optional.empty();
  }

  public SettingsRecord(Map<String, String> metadata, Set<String> removed, boolean cordoned) {
    this(metadata, removed, cordoned, Optional.empty(), UnknownFields.NONE);
  }

  public static SettingsRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new SettingsRecord(
        fields.textsByName("metadata"),
        OrderedCopy.of(fields.texts("removed")),
        fields.truth("cordoned"),
        drain(fields),
        fields.rest());
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
    return fields.render(unknown);
  }

  public SettingsRecord withMetadata(String key, String value) {
    Map<String, String> more = new TreeMap<>(metadata);
    more.put(key, value);
    Set<String> fewer = new TreeSet<>(removed);
    fewer.remove(key);
    return new SettingsRecord(more, fewer, cordoned, drain, unknown);
  }

  public SettingsRecord withoutMetadata(String key) {
    Map<String, String> fewer = new TreeMap<>(metadata);
    fewer.remove(key);
    Set<String> more = new TreeSet<>(removed);
    more.add(key);
    return new SettingsRecord(fewer, more, cordoned, drain, unknown);
  }

  /** The same with or without a cordon; without one, nothing is drained either. */
  public SettingsRecord withCordoned(boolean cordon) {
    return new SettingsRecord(metadata, removed, cordon, drain, unknown);
  }

  /** The same, cordoned and drained. */
  public SettingsRecord withDrain(Drain asked) {
    return new SettingsRecord(metadata, removed, true, Optional.of(asked), unknown);
  }

  /** The metadata that counts, out of what the machine says of itself. */
  public Map<String, String> applyTo(Map<String, String> own) {
    Map<String, String> result = new TreeMap<>(own);
    result.keySet().removeAll(removed);
    result.putAll(metadata);
    return result;
  }
}
