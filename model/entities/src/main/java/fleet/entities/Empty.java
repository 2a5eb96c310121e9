package fleet.entities;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The API leaves out empty values; entities hold them as empty, never as null. */
final class Empty {
  private Empty() {}

  static String ifAbsent(@Nullable String text) {
    return text == null ? "" : text;
  }

  static <T> List<T> ifAbsent(@Nullable List<T> list) {
    if (list == null || list.isEmpty()) {
      return List.of();
    }
    if (list.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("null within a list");
    }
    return List.copyOf(list);
  }

  static <T> Map<String, T> ifAbsent(@Nullable Map<String, T> map) {
    if (map == null || map.isEmpty()) {
      return Map.of();
    }
    if (map.values().stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("null within a map");
    }
    return Collections.unmodifiableMap(new TreeMap<>(map));
  }
}
