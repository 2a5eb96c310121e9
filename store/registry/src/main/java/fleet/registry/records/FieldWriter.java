package fleet.registry.records;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the fields of a record and renders them as JSON, unknown ones last. */
final class FieldWriter {

  static final String FORMAT = "format";

  /** Raised only by a change that an older fleet must not read; a new field is not one. */
  static final long CURRENT_FORMAT = 1;

  private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

  FieldWriter() {
    fields.put(FORMAT, CURRENT_FORMAT);
  }

  FieldWriter put(String name, String text) {
    fields.put(name, text);
    return this;
  }

  FieldWriter put(String name, long number) {
    fields.put(name, number);
    return this;
  }

  FieldWriter put(String name, boolean truth) {
    fields.put(name, truth);
    return this;
  }

  FieldWriter put(String name, List<String> texts) {
    fields.put(name, texts);
    return this;
  }

  FieldWriter put(String name, Map<String, String> texts) {
    fields.put(name, texts);
    return this;
  }

  FieldWriter putObjects(String name, List<Map<String, String>> objects) {
    fields.put(name, objects);
    return this;
  }

  String render(UnknownFields unknown) {
    unknown.values().forEach(fields::putIfAbsent);
    return JsonTree.render(fields);
  }
}
