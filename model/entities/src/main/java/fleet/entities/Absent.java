package fleet.entities;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The API leaves out empty values, so empty and absent are the same in its entities. */
final class Absent {
  private Absent() {}

  static @Nullable String ifEmpty(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }

  static <T> @Nullable List<T> ifEmpty(@Nullable List<T> list) {
    if (list == null || list.isEmpty()) {
      return null;
    }
    if (list.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("null within a list");
    }
    return List.copyOf(list);
  }
}
