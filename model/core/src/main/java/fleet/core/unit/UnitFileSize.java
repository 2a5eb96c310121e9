package fleet.core.unit;

import java.nio.charset.StandardCharsets;

/** The limit on the text of a unit file. */
final class UnitFileSize {
  private UnitFileSize() {}

  static void check(String text) throws UnitFileSyntaxException {
    // A character takes at least one byte and at most three: mostly no need to count.
    if (text.length() <= UnitFile.MAX_BYTES / 3) {
      return;
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > UnitFile.MAX_BYTES) {
      throw new UnitFileSyntaxException(
          "the unit file has %d bytes; at most %d (512 KiB) are accepted: keep bulky data in a file of its own"
              .formatted(bytes, UnitFile.MAX_BYTES));
    }
  }
}
