package fleet.registry.embedded;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * CRC32C of what the database holds. SQLite has no checksums of its own outside the write-ahead
 * log, and hands out flipped bits as data.
 */
final class Checksum {

  private Checksum() {}

  /**
   * The checksum of a key and its value.
   *
   * @throws IllegalArgumentException if the text has no UTF-8: half of a surrogate pair
   */
  static int ofContent(String key, String value) {
    ByteBuffer keyBytes = encode(key);
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(keyBytes.remaining()).flip());
    crc.update(keyBytes);
    crc.update(encode(value));
    return (int) crc.getValue();
  }

  /** The checksum of a row, out of that of its content and its revisions. */
  static long ofRow(int content, long created, long modified) {
    CRC32C crc = new CRC32C();
    crc.update(
        ByteBuffer.allocate(Integer.BYTES + 2 * Long.BYTES)
            .putInt(content)
            .putLong(created)
            .putLong(modified)
            .flip());
    return crc.getValue();
  }

  static long ofText(String text) {
    CRC32C crc = new CRC32C();
    crc.update(encode(text));
    return crc.getValue();
  }

  private static ByteBuffer encode(String text) {
    try {
      return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("text that is not valid Unicode", e);
    }
  }
}
