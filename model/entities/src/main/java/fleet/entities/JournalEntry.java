package fleet.entities;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.avaje.json.JsonException;
import io.avaje.json.JsonReader;
import io.avaje.jsonb.Jsonb;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An entry of a journal as a line of {@code journalctl --output=json} has it, in UTF-8. Fleet adds
 * fields of its own, whose names begin with {@code FLEET_}. Immutable.
 */
public final class JournalEntry {

  public static final String MACHINE = "FLEET_MACHINE";
  public static final String UNIT = "FLEET_UNIT";

  /** In place of an entry: something that readers of the journal should know. */
  public static final String NOTICE = "FLEET_NOTICE";

  private static final String CURSOR = "__CURSOR";
  private static final String REALTIME = "__REALTIME_TIMESTAMP";

  private static final Jsonb JSON = Jsonb.builder().build();

  private final Map<String, String> fields;

  private JournalEntry(Map<String, String> fields) {
    this.fields = fields;
  }

  /**
   * Reads a line.
   *
   * @throws InvalidJsonException if it is not an object whose fields are texts, bytes or null
   */
  public static JournalEntry parse(byte[] line) throws InvalidJsonException {
    NestingLimit.checkAlone(line);
    try (JsonReader reader = LongStrings.reader(JSON, line)) {
      return new JournalEntry(fields(reader));
    } catch (JsonException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new InvalidJsonException(e);
    }
  }

  /**
   * A field; the first one if it occurs several times. Bytes that are no text are made readable.
   */
  public Optional<String> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  /** The entry's position in its machine's journal; empty if it does not say. */
  public String cursor() {
    return fields.getOrDefault(CURSOR, "");
  }

  /** When it was received, in microseconds since 1970; 0 if it does not say. */
  public long realtimeMicros() {
    try {
      return Long.parseLong(fields.getOrDefault(REALTIME, "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static Map<String, String> fields(JsonReader reader) {
    Map<String, String> fields = new LinkedHashMap<>();
    reader.beginObject();
    while (reader.hasNextField()) {
      String name = reader.nextField();
      value(reader).ifPresent(value -> fields.putIfAbsent(name, value));
    }
    reader.endObject();
    return fields;
  }

  private static Optional<String> value(JsonReader reader) {
    return switch (reader.currentToken()) {
      case STRING -> Optional.of(reader.readString());
      case NUMBER, BOOLEAN -> Optional.of(reader.readRaw());
      case BEGIN_ARRAY -> list(reader);
      case BEGIN_OBJECT -> throw new JsonException("an object within an entry");
      case NULL -> {
        reader.skipValue();
        yield Optional.empty();
      }
    };
  }

  /** Bytes, or the values of a field that occurs several times. */
  private static Optional<String> list(JsonReader reader) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Optional<String> first = Optional.empty();
    boolean some = false;
    reader.beginArray();
    while (reader.hasNextElement()) {
      some = true;
      if (reader.currentToken() == JsonReader.Token.NUMBER) {
        bytes.write(reader.readInt());
      } else {
        Optional<String> value = value(reader);
        first = first.or(() -> value);
      }
    }
    reader.endArray();
    return some ? first.or(() -> Optional.of(bytes.toString(UTF_8))) : Optional.empty();
  }
}
