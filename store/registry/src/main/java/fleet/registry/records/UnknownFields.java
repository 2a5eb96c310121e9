package fleet.registry.records;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a stored record that this version does not know. They are written back as they were
 * read, so that a neighbour of a newer version loses nothing.
 */
public record UnknownFields(Map<String, @Nullable Object> values) {

  public static final UnknownFields NONE = new UnknownFields(Map.of());

  public UnknownFields {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }
}
