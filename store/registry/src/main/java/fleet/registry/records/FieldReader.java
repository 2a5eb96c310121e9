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

  /** Comes before the names of fields in messages: the field that these are a part of. */
  private final String within;

  private final Map<String, @Nullable Object> fields;

  private FieldReader(String key, String within, Map<String, @Nullable Object> fields) {
    this.key = key;
    this.within = within;
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
    FieldReader reader = new FieldReader(entry.key(), "", fields);
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

  /** A number in a part of a record, where it is written as text. */
  long numberAsText(String name) {
    String text = text(name);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw wrong(name, "is no number: " + text);
    }
  }

  /** A number that is cut off at what an int holds, and at zero. */
  int count(String name) {
    return Math.clamp(number(name), 0, Integer.MAX_VALUE);
  }

  /** The same, of a field that may be absent. */
  int count(String name, int otherwise) {
    return has(name) ? count(name) : otherwise;
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  boolean truth(String name) {
    return require(name, Boolean.class, "true or false");
  }

  /** Whether a field is there and true. */
  boolean isTrue(String name) {
    return has(name) && truth(name);
  }

  Instant instant(String name) {
    return asInstant(name, text(name));
  }

  Optional<Instant> instantIfAny(String name) {
    return has(name) ? Optional.of(instant(name)) : Optional.empty();
  }

  Map<String, Instant> instantsByNameIfAny(String name) {
    Map<String, Instant> instants = new TreeMap<>();
    if (has(name)) {
      textsByName(name).forEach((field, text) -> instants.put(field, asInstant(name, text)));
    }
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

  UnitName unit(String name) {
    return unit(name, text(name));
  }

  List<UnitName> units(String name) {
    return texts(name).stream().map(text -> unit(name, text)).toList();
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

  /** Texts that are left out if there are none. */
  List<String> textsIfAny(String name) {
    return has(name) ? texts(name) : List.of();
  }

  Map<String, String> textsByName(String name) {
    Map<String, String> texts = new TreeMap<>();
    Map<?, ?> object = require(name, Map.class, "an object");
    object.forEach((field, text) -> texts.put((String) field, asText(name, text)));
    return texts;
  }

  /** An object with fields of its own. */
  Optional<FieldReader> partIfAny(String name) {
    return has(name)
        ? Optional.of(part(name, require(name, Map.class, "an object")))
        : Optional.empty();
  }

  /** Objects with fields of their own. */
  List<FieldReader> parts(String name) {
    List<?> list = require(name, List.class, "a list");
    return list.stream().map(element -> part(name, element)).toList();
  }

  /** The same, of a field that may be absent. */
  List<FieldReader> partsIfAny(String name) {
    return has(name) ? parts(name) : List.of();
  }

  private FieldReader part(String name, @Nullable Object value) {
    if (!(value instanceof Map<?, ?>)) {
      throw wrong(name, "holds something that is not an object");
    }
    @SuppressWarnings("unchecked")
    var object = (Map<String, @Nullable Object>) value;
    return new FieldReader(key, within + name + ".", object);
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
        "value of key %s in the registry: field %s%s %s".formatted(key, within, name, what));
  }
}
