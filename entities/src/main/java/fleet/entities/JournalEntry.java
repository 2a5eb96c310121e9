package fleet.entities;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
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

  private final Map<String, String> fields;

  private JournalEntry(Map<String, String> fields) {
    this.fields = fields;
  }

  /**
   * Reads a line.
   *
   * @throws InvalidJsonException where it is not an object whose fields are texts, bytes or null
   */
  public static JournalEntry parse(byte[] line) throws InvalidJsonException {
    return new JournalEntry(new Scanner(new String(line, StandardCharsets.UTF_8)).object());
  }

  /** A field; of one that occurs several times the first. What is not text is made readable. */
  public Optional<String> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  /** Where the entry is in its machine's journal; empty where it does not say. */
  public String cursor() {
    return fields.getOrDefault(CURSOR, "");
  }

  /** When it was received, in microseconds since 1970; 0 where it does not say. */
  public long realtimeMicros() {
    try {
      return Long.parseLong(fields.getOrDefault(REALTIME, "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Reads just the JSON that journals are written in. */
  private static final class Scanner {

    private final String text;
    private int at;

    Scanner(String text) {
      this.text = text;
    }

    Map<String, String> object() throws InvalidJsonException {
      Map<String, String> fields = new LinkedHashMap<>();
      expect('{');
      if (next() == '}') {
        at++;
      } else {
        do {
          String name = string();
          expect(':');
          value().ifPresent(value -> fields.putIfAbsent(name, value));
        } while (another('}'));
      }
      if (next() != 0) {
        throw wrong();
      }
      return fields;
    }

    /** Whether a comma follows, and not the end. */
    private boolean another(char end) throws InvalidJsonException {
      char c = next();
      at++;
      if (c != ',' && c != end) {
        at--;
        throw wrong();
      }
      return c == ',';
    }

    private Optional<String> value() throws InvalidJsonException {
      return switch (next()) {
        case '"' -> Optional.of(string());
        case '[' -> list();
        default -> word();
      };
    }

    /** Bytes, or the values of a field that occurs several times. */
    private Optional<String> list() throws InvalidJsonException {
      expect('[');
      if (next() == ']') {
        at++;
        return Optional.empty();
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      Optional<String> first = Optional.empty();
      do {
        boolean number = Character.isDigit(next());
        Optional<String> value = value();
        if (number) {
          bytes.write(octet(value.orElse("")));
        }
        first = first.isPresent() || number ? first : value;
      } while (another(']'));
      return first.isPresent() ? first : Optional.of(bytes.toString(StandardCharsets.UTF_8));
    }

    private int octet(String number) throws InvalidJsonException {
      try {
        return Integer.parseInt(number);
      } catch (NumberFormatException e) {
        throw wrong();
      }
    }

    /** A number, true, false; nothing for null. */
    private Optional<String> word() throws InvalidJsonException {
      int begin = at;
      while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      String word = text.substring(begin, at);
      if (word.isEmpty() || word.length() > 20 || word.indexOf('{') >= 0) {
        throw wrong();
      }
      return word.equals("null") ? Optional.empty() : Optional.of(word);
    }

    private String string() throws InvalidJsonException {
      expect('"');
      int begin = at;
      while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\') {
        at++;
      }
      StringBuilder string = new StringBuilder().append(text, begin, at);
      while (at < text.length() && text.charAt(at) != '"') {
        char c = text.charAt(at++);
        string.append(c == '\\' ? escaped() : c);
      }
      if (at == text.length()) {
        throw wrong();
      }
      at++;
      return string.toString();
    }

    private char escaped() throws InvalidJsonException {
      if (at == text.length()) {
        throw wrong();
      }
      char c = text.charAt(at++);
      return switch (c) {
        case 'n' -> '\n';
        case 't' -> '\t';
        case 'r' -> '\r';
        case 'b' -> '\b';
        case 'f' -> '\f';
        case 'u' -> {
          at += 4;
          try {
            yield (char) Integer.parseInt(text, at - 4, Math.min(at, text.length()), 16);
          } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw wrong();
          }
        }
        default -> c;
      };
    }

    private void expect(char wanted) throws InvalidJsonException {
      if (next() != wanted) {
        throw wrong();
      }
      at++;
    }

    /** The next character that is not blank; 0 at the end. */
    private char next() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      return at < text.length() ? text.charAt(at) : 0;
    }

    private InvalidJsonException wrong() {
      return new InvalidJsonException("not an entry of a journal: unexpected at character " + at);
    }
  }
}
