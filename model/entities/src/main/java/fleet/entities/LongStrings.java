package fleet.entities;

import io.avaje.json.JsonException;
import io.avaje.json.JsonReader;
import io.avaje.jsonb.Jsonb;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Lets strings of any length be read. The library refuses those of more than 32,768 characters, and
 * an option of a unit file may be as long as the file: so long strings are taken out before it
 * reads, each is read in pieces, and they are put back when it comes upon what stands for them.
 */
final class LongStrings {

  /** Bytes; well below what the library takes. */
  private static final int PIECE = 16_000;

  private final Jsonb jsonb;
  private final byte[] json;
  private final ByteArrayOutputStream shortened = new ByteArrayOutputStream();
  private final Map<String, String> taken = new HashMap<>();
  private int copied;

  private LongStrings(Jsonb jsonb, byte[] json) {
    this.jsonb = jsonb;
    this.json = json;
  }

  /**
   * A reader of the text.
   *
   * @throws JsonException if a long string is not valid
   */
  static JsonReader reader(Jsonb jsonb, byte[] json) {
    return new LongStrings(jsonb, json).reader();
  }

  private JsonReader reader() {
    int position = 0;
    while (position < json.length) {
      if (json[position] == '"') {
        int end = endOfString(position + 1);
        if (end - position > PIECE) {
          takeOut(position, end);
        }
        position = end;
      }
      position++;
    }
    if (taken.isEmpty()) {
      return jsonb.reader(json);
    }
    copyUpTo(json.length);
    return replacing(jsonb.reader(shortened.toByteArray()), taken);
  }

  /** Reads as another reader does, and puts other strings in the place of some. */
  private static JsonReader replacing(JsonReader reader, Map<String, String> others) {
    InvocationHandler handler =
        (_, method, arguments) -> {
          try {
            Object read = method.invoke(reader, arguments);
            return read instanceof String text ? others.getOrDefault(text, text) : read;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return (JsonReader)
        Proxy.newProxyInstance(
            JsonReader.class.getClassLoader(), new Class<?>[] {JsonReader.class}, handler);
  }

  /** The place of the closing quote, or the end of the text. */
  private int endOfString(int start) {
    int position = start;
    while (position < json.length && json[position] != '"') {
      position += json[position] == '\\' ? 2 : 1;
    }
    return Math.min(position, json.length);
  }

  private void takeOut(int openingQuote, int closingQuote) {
    // Nobody can send this by accident, nor guess it.
    String placeholder = UUID.randomUUID().toString();
    taken.put(placeholder, text(openingQuote + 1, closingQuote));
    copyUpTo(openingQuote + 1);
    shortened.writeBytes(placeholder.getBytes(StandardCharsets.US_ASCII));
    copied = closingQuote;
  }

  private void copyUpTo(int end) {
    shortened.write(json, copied, end - copied);
    copied = end;
  }

  private String text(int start, int end) {
    ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    pieces.write('[');
    int from = start;
    while (from < end) {
      int to = endOfPiece(from, end);
      if (from > start) {
        pieces.write(',');
      }
      pieces.write('"');
      pieces.write(json, from, to - from);
      pieces.write('"');
      from = to;
    }
    pieces.write(']');
    return joined(pieces.toByteArray());
  }

  private String joined(byte[] pieces) {
    StringBuilder text = new StringBuilder();
    try (JsonReader reader = jsonb.reader(pieces)) {
      reader.beginArray();
      while (reader.hasNextElement()) {
        text.append(reader.readString());
      }
      reader.endArray();
    }
    return text.toString();
  }

  /** Not within an escape sequence or a character. */
  private int endOfPiece(int start, int end) {
    int position = start;
    while (position < end && position - start < PIECE) {
      position += lengthAt(position);
    }
    return Math.min(position, end);
  }

  private int lengthAt(int position) {
    byte first = json[position];
    if (first == '\\') {
      return position + 1 < json.length && json[position + 1] == 'u' ? 6 : 2;
    }
    if ((first & 0xe0) == 0xc0) {
      return 2;
    }
    if ((first & 0xf0) == 0xe0) {
      return 3;
    }
    return (first & 0xf8) == 0xf0 ? 4 : 1;
  }
}
