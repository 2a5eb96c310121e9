package fleet.registry.records;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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

  /** For an object within a record, which has no format of its own. */
  static FieldWriter ofPart() {
    FieldWriter part = new FieldWriter();
    part.fields.clear();
    return part;
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

  FieldWriter put(String name, Instant time) {
    return put(name, time.toString());
  }

  FieldWriter put(String name, FieldWriter part) {
    fields.put(name, part.fields);
    return this;
  }

  FieldWriter put(String name, Stream<FieldWriter> parts) {
    fields.put(name, parts.map(part -> part.fields).toList());
    return this;
  }

  /** Leaves the field out if the text is empty. */
  FieldWriter putIfAny(String name, String text) {
    return text.isEmpty() ? this : put(name, text);
  }

  /** Leaves the field out if the number is 0. */
  FieldWriter putIfAny(String name, long number) {
    return number == 0 ? this : put(name, number);
  }

  /** Leaves the field out if there are no texts. */
  FieldWriter putIfAny(String name, List<String> texts) {
    return texts.isEmpty() ? this : put(name, texts);
  }

  FieldWriter putIfAny(String name, Optional<Instant> time) {
    return time.map(at -> put(name, at)).orElse(this);
  }

  FieldWriter putIfTrue(String name, boolean truth) {
    return truth ? put(name, true) : this;
  }

  /** Adds fields that a newer version has in a part of a record. */
  FieldWriter and(UnknownFields unknown) {
    unknown.values().forEach(fields::putIfAbsent);
    return this;
  }

  String render(UnknownFields unknown) {
    return JsonTree.render(and(unknown).fields);
  }
}
