package fleet.registry.records;

import io.avaje.json.JsonDataException;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;
import io.avaje.json.stream.BufferedJsonWriter;
import io.avaje.json.stream.JsonStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as maps, lists, strings, {@link BigDecimal}s, booleans and nulls.
 *
 * <p>The library's own maps round large numbers and drop nulls, and fields that are only carried
 * along must come out as they went in.
 */
final class JsonTree {

  private static final JsonStream STREAM =
      JsonStream.builder().serializeNulls(true).serializeEmpty(true).build();

  /** Deeper than any record; keeps a value made to hurt from overflowing the stack. */
  private static final int MAX_DEPTH = 100;

  private JsonTree() {}

  /**
   * Reads one object.
   *
   * @throws io.avaje.json.JsonException if the text is not one JSON object
   */
  static Map<String, @Nullable Object> parse(String text) {
    // In an array, because only then does the reader object to text behind the value.
    try (JsonReader reader = STREAM.reader("[" + text + "]")) {
      if (read(reader, 0) instanceof List<?> list
          && list.size() == 1
          && list.getFirst() instanceof Map<?, ?>) {
        @SuppressWarnings("unchecked")
        var object = (Map<String, @Nullable Object>) list.getFirst();
        return object;
      }
    }
    throw new JsonDataException("not one JSON object");
  }

  static String render(Map<String, @Nullable Object> object) {
    BufferedJsonWriter writer = STREAM.bufferedWriter();
    write(writer, object);
    return writer.result();
  }

  private static @Nullable Object read(JsonReader reader, int depth) {
    if (depth > MAX_DEPTH) {
      throw new JsonDataException("nested too deeply");
    }
    return switch (reader.currentToken()) {
      case BEGIN_OBJECT -> readObject(reader, depth);
      case BEGIN_ARRAY -> readArray(reader, depth);
      case STRING -> reader.readString();
      case BOOLEAN -> reader.readBoolean();
      case NUMBER -> reader.readDecimal();
      case NULL -> readNull(reader);
    };
  }

  private static Map<String, @Nullable Object> readObject(JsonReader reader, int depth) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    reader.beginObject();
    while (reader.hasNextField()) {
      String name = reader.nextField();
      object.put(name, read(reader, depth + 1));
    }
    reader.endObject();
    return object;
  }

  private static List<@Nullable Object> readArray(JsonReader reader, int depth) {
    List<@Nullable Object> array = new ArrayList<>();
    reader.beginArray();
    while (reader.hasNextElement()) {
      array.add(read(reader, depth + 1));
    }
    reader.endArray();
    return array;
  }

  private static @Nullable Object readNull(JsonReader reader) {
    if (!reader.isNullValue()) {
      throw new JsonDataException("neither a value nor null");
    }
    return null;
  }

  private static void write(JsonWriter writer, @Nullable Object value) {
    switch (value) {
      case null -> writer.nullValue();
      case Map<?, ?> object -> {
        writer.beginObject();
        object.forEach((name, field) -> {
          writer.name((String) name);
          write(writer, field);
        });
        writer.endObject();
      }
      case List<?> array -> {
        writer.beginArray();
        array.forEach(element -> write(writer, element));
        writer.endArray();
      }
      case String text -> writer.value(text);
      case Boolean truth -> writer.value(truth);
      case BigDecimal number -> writer.value(number);
      case Long number -> writer.value(number);
      default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
    }
  }
}
