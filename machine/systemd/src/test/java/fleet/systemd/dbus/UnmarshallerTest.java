package fleet.systemd.dbus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnmarshallerTest {

  private final ByteBuffer buffer = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);

  private Unmarshaller written() {
    return new Unmarshaller(buffer.flip());
  }

  private void align(int size) {
    while (buffer.position() % size != 0) {
      buffer.put((byte) 0);
    }
  }

  private void putString(String text) {
    align(4);
    byte[] bytes = text.getBytes(UTF_8);
    buffer.putInt(bytes.length).put(bytes).put((byte) 0);
  }

  private void putSignature(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    buffer.put((byte) bytes.length).put(bytes).put((byte) 0);
  }

  @Test
  void readsValuesAtTheirAlignment() throws ProtocolException {
    putString("Grüße");
    putSignature("t");
    align(8);
    buffer.putLong(42);
    putSignature("u");
    align(4);
    buffer.putInt(-1);
    putSignature("ay");
    align(4);
    buffer.putInt(2).put((byte) 0x0f).put((byte) 0xa0);
    Unmarshaller cursor = written();

    assertThat(cursor.string()).isEqualTo("Grüße");
    assertThat(cursor.numberVariant()).isEqualTo(42);
    assertThat(cursor.numberVariant()).isEqualTo(0xffff_ffffL);
    assertThat(cursor.hexVariant()).isEqualTo("0fa0");
    assertThat(cursor.isBefore(buffer.limit())).isFalse();
  }

  @Test
  void refusesValuesOfAnotherType() {
    putSignature("s");
    putString("seven");

    assertThatThrownBy(() -> written().numberVariant())
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("not s");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s",
        "y",
        "n",
        "b",
        "x",
        "d",
        "o",
        "g",
        "v",
        "as",
        "ay",
        "at",
        "a(ss)",
        "(so)",
        "a{sv}",
        "a(sasbttttuii)",
        "aas",
        "(yv(ng)x)",
        "a{s(ua(sb))}",
        "aa{sas}"
      })
  void skipsAnyValueToItsEnd(String signature) throws ProtocolException {
    for (int seed = 0; seed < 200; seed++) {
      buffer.clear();
      Random random = new Random(seed);
      buffer.put(new byte[random.nextInt(8)]);
      int start = buffer.position();
      putSignature(signature);
      new Writer(random).value(signature, 0);
      putString("after");
      Unmarshaller cursor = written();
      cursor.position(start);

      cursor.skipVariant();

      assertThat(cursor.string()).as("%s, seed %d", signature, seed).isEqualTo("after");
    }
  }

  /** Writes a random value of a type; written apart from the reader, to check it. */
  private final class Writer {
    private final Random random;

    Writer(Random random) {
      this.random = random;
    }

    int value(String type, int at) {
      switch (type.charAt(at)) {
        case 'y' -> buffer.put((byte) random.nextInt());
        case 'n', 'q' -> {
          align(2);
          buffer.putShort((short) random.nextInt());
        }
        case 'b', 'i', 'u' -> {
          align(4);
          buffer.putInt(random.nextInt());
        }
        case 'x', 't', 'd' -> {
          align(8);
          buffer.putLong(random.nextLong());
        }
        case 's', 'o' -> putString("x".repeat(random.nextInt(9)));
        case 'g' -> putSignature("s".repeat(random.nextInt(5)));
        case 'v' -> {
          String inner = List.of("s", "t", "as", "(yt)").get(random.nextInt(4));
          putSignature(inner);
          value(inner, 0);
        }
        case 'a' -> {
          return array(type, at);
        }
        default -> {
          align(8);
          int next = at + 1;
          while (")}".indexOf(type.charAt(next)) < 0) {
            next = value(type, next);
          }
          return next + 1;
        }
      }
      return at + 1;
    }

    private int array(String type, int at) {
      align(4);
      int lengthAt = buffer.position();
      buffer.putInt(0);
      align("xtd({".indexOf(type.charAt(at + 1)) >= 0 ? 8 : 1);
      int start = padded(type.charAt(at + 1));
      int elements = random.nextInt(3);
      for (int i = 0; i < elements; i++) {
        value(type, at + 1);
      }
      buffer.putInt(lengthAt, buffer.position() - start);
      int before = buffer.position();
      int next = value(type, at + 1);
      buffer.position(before);
      return next;
    }

    private int padded(char element) {
      align("nq".indexOf(element) >= 0 ? 2 : "biusoa".indexOf(element) >= 0 ? 4 : 1);
      return buffer.position();
    }
  }
}
