package fleet.core.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalDatagramTest {

  private static final String NASTY = "a\n\r=\0\u001b[2J\u2028é😀\\\"FLEET_RESULT=done\n";

  /** Reads as journald does: {@code NAME=value} up to a line end, or a length and so many bytes. */
  private static List<Map.Entry<String, String>> read(byte[] datagram) {
    ByteBuffer bytes = ByteBuffer.wrap(datagram).order(ByteOrder.LITTLE_ENDIAN);
    List<Map.Entry<String, String>> fields = new ArrayList<>();
    while (bytes.hasRemaining()) {
      StringBuilder line = new StringBuilder();
      for (char c = (char) bytes.get(); c != '\n'; c = (char) bytes.get()) {
        line.append(c);
      }
      int equals = line.indexOf("=");
      if (equals >= 0) {
        fields.add(Map.entry(line.substring(0, equals), line.substring(equals + 1)));
      } else {
        byte[] value = new byte[Math.toIntExact(bytes.getLong())];
        bytes.get(value);
        fields.add(Map.entry(line.toString(), new String(value, UTF_8)));
        assertThat(bytes.get()).isEqualTo((byte) '\n');
      }
    }
    return fields;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyTextSurvivesAndNoneMakesAnotherField(long seed) {
    Random chance = new Random(seed);
    Map<String, String> fields = new LinkedHashMap<>();
    for (String name : List.of("MESSAGE", "FLEET_SUBJECT", "FLEET_TARGET", "FLEET_RESULT")) {
      StringBuilder value = new StringBuilder();
      int length = chance.nextInt(60);
      for (int i = 0; i < length; i++) {
        int at =
            NASTY.offsetByCodePoints(0, chance.nextInt(NASTY.codePointCount(0, NASTY.length())));
        value.appendCodePoint(NASTY.codePointAt(at));
      }
      fields.put(name, value.toString());
    }

    assertThat(read(JournalDatagram.of(fields))).isEqualTo(List.copyOf(fields.entrySet()));
  }

  @Test
  void aNameFromOutsideIsRefused() {
    for (String name : List.of("", "_UID", "A\nB", "A=B", "a")) {
      assertThatThrownBy(() -> JournalDatagram.of(Map.of(name, "x")))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
