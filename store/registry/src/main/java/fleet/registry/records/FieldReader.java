package fleet.registry.records;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import io.avaje.json.JsonException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes the fields of a stored record one by one; what is left in the end is unknown. Every fault
 * is a {@link RegistryException} that names the key and the field.
 */
final class FieldReader {

  private final String key;
  private final Map<String, @Nullable Object> fields;

  private FieldReader(String key, Map<String, @Nullable Object> fields) {
    this.key = key;
    this.fields = fields;
  }

  static FieldReader of(Entry entry) {
    Map<String, @Nullable Object> fields;
    try {
      fields = JsonTree.parse(entry.value());
    } catch (JsonException e) {
      throw new RegistryException(
          "value of key " + entry.key() + " in the registry is not a JSON object", e);
    }
    FieldReader reader = new FieldReader(entry.key(), fields);
    long format = reader.number(FieldWriter.FORMAT);
    if (format > FieldWriter.CURRENT_FORMAT) {
      throw new RegistryException(
          "value of key %s in the registry has format %d, this fleet reads up to %d: upgrade it"
              .formatted(entry.key(), format, FieldWriter.CURRENT_FORMAT));
    }
    return reader;
  }

  String text(String name) {
    return require(name, String.class, "a string");
  }

  /** A text that is left out if there is none. */
  String text(String name, String otherwise) {
    return fields.containsKey(name) ? text(name) : otherwise;
  }

  long number(String name) {
    BigDecimal number = require(name, BigDecimal.class, "a number");
    try {
      return number.longValueExact();
    } catch (ArithmeticException e) {
      throw wrong(name, "is not a whole number of 64 bits");
    }
  }

  /** A number that records of an older version do not have. */
  long number(String name, long otherwise) {
    return fields.containsKey(name) ? number(name) : otherwise;
  }

  /** A number that is cut off at what an int holds, and at zero. */
  int count(String name) {
    return Math.clamp(number(name), 0, Integer.MAX_VALUE);
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  boolean truth(String name) {
    return require(name, Boolean.class, "true or false");
  }

  Instant instant(String name) {
    return asInstant(name, text(name));
  }

  Map<String, Instant> instantsByName(String name) {
    Map<String, Instant> instants = new TreeMap<>();
    textsByName(name).forEach((field, text) -> instants.put(field, asInstant(name, text)));
    return instants;
  }

  private Instant asInstant(String name, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw wrong(name, "is not a time in ISO 8601: " + text);
    }
  }

  /** A text that stands for something. */
  <T> T meaning(String name, Function<String, Optional<T>> meaning) {
    String text = text(name);
    return meaning.apply(text).orElseThrow(() -> wrong(name, "has the unknown value " + text));
  }

  /** A unit that a field names. */
  UnitName unit(String name, String text) {
    try {
      return UnitName.of(text);
    } catch (InvalidUnitNameException e) {
      throw wrong(name + ":", String.valueOf(e.getMessage()));
    }
  }

  List<String> texts(String name) {
    List<?> list = require(name, List.class, "a list");
    return list.stream().map(element -> asText(name, element)).toList();
  }

  Map<String, String> textsByName(String name) {
    return asObject(name, require(name, Map.class, "an object"));
  }

  List<Map<String, String>> objects(String name) {
    List<?> list = require(name, List.class, "a list");
    return list.stream().map(element -> asObject(name, element)).toList();
  }

  private Map<String, String> asObject(String name, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> object)) {
      throw wrong(name, "holds something that is not an object");
    }
    Map<String, String> texts = new TreeMap<>();
    object.forEach((field, text) -> texts.put((String) field, asText(name, text)));
    return texts;
  }

  UnknownFields rest() {
    return fields.isEmpty() ? UnknownFields.NONE : new UnknownFields(fields);
  }

  private String asText(String name, @Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw wrong(name, "holds something that is not a string");
  }

  private <T> T require(String name, Class<T> type, String what) {
    Object value = fields.remove(name);
    if (!type.isInstance(value)) {
      throw wrong(name, value == null ? "is missing" : "is not " + what);
    }
    return type.cast(value);
  }

  RegistryException wrong(String name, String what) {
    return new RegistryException(
        "value of key %s in the registry: field %s %s".formatted(key, name, what));
  }
}
