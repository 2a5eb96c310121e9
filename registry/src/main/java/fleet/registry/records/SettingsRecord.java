package fleet.registry.records;

import fleet.registry.Entry;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
 */
public record SettingsRecord(
    Map<String, String> metadata, Set<String> removed, boolean cordoned, UnknownFields unknown) {

  public static final SettingsRecord NONE = new SettingsRecord(Map.of(), Set.of(), false);

  public SettingsRecord {
    metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
    removed = Collections.unmodifiableSet(new TreeSet<>(removed));
  }

  public SettingsRecord(Map<String, String> metadata, Set<String> removed, boolean cordoned) {
    this(metadata, removed, cordoned, UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws fleet.registry.RegistryException where the value is not one of these
   */
  public static SettingsRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new SettingsRecord(
        fields.textsByName("metadata"),
        Set.copyOf(fields.texts("removed")),
        fields.truth("cordoned"),
        fields.rest());
  }

  /** The value to store. */
  public String json() {
    return new FieldWriter()
        .put("metadata", metadata)
        .put("removed", List.copyOf(removed))
        .put("cordoned", cordoned)
        .render(unknown);
  }

  public SettingsRecord withMetadata(String key, String value) {
    Map<String, String> more = new TreeMap<>(metadata);
    more.put(key, value);
    Set<String> fewer = new TreeSet<>(removed);
    fewer.remove(key);
    return new SettingsRecord(more, fewer, cordoned, unknown);
  }

  public SettingsRecord withoutMetadata(String key) {
    Map<String, String> fewer = new TreeMap<>(metadata);
    fewer.remove(key);
    Set<String> more = new TreeSet<>(removed);
    more.add(key);
    return new SettingsRecord(fewer, more, cordoned, unknown);
  }

  public SettingsRecord withCordoned(boolean cordon) {
    return new SettingsRecord(metadata, removed, cordon, unknown);
  }

  /** The metadata that counts, out of what the machine says of itself. */
  public Map<String, String> applyTo(Map<String, String> own) {
    Map<String, String> result = new TreeMap<>(own);
    result.keySet().removeAll(removed);
    result.putAll(metadata);
    return result;
  }
}
