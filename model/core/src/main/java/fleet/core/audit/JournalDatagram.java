package fleet.core.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Fields of the journal as journald's native protocol has them. Every value goes with its length,
 * so that no line end within it begins another field.
 */
public final class JournalDatagram {

  private static final Pattern NAME = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

  private JournalDatagram() {}

  /**
   * Encodes.
   *
   * @param fields values by name; names are of the program, and never text from outside
   */
  public static byte[] of(Map<String, String> fields) {
    ByteArrayOutputStream datagram = new ByteArrayOutputStream();
    fields.forEach((name, value) -> {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(name + " is no name of a field of the journal");
      }
      byte[] bytes = value.getBytes(UTF_8);
      datagram.writeBytes((name + "\n").getBytes(UTF_8));
      for (int bits = 0; bits < Long.SIZE; bits += Byte.SIZE) {
        datagram.write((int) ((long) bytes.length >>> bits));
      }
      datagram.writeBytes(bytes);
      datagram.write('\n');
    });
    return datagram.toByteArray();
  }
}
