package fleet.systemd.dbus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Reads marshalled D-Bus values one after the other, or skips them.
 *
 * <p>The buffer starts where alignment counts from: at the start of a message or of its body. Not
 * safe for use by many threads.
 */
final class Unmarshaller {

  private final ByteBuffer buffer;

  Unmarshaller(ByteBuffer buffer) {
    this.buffer = buffer;
  }

  int position() {
    return buffer.position();
  }

  void position(int position) {
    buffer.position(position);
  }

  boolean isBefore(int end) {
    return buffer.position() < end;
  }

  void align(int size) {
    buffer.position((buffer.position() + size - 1) & -size);
  }

  int byteValue() {
    return buffer.get() & 0xff;
  }

  long unsignedInt() {
    align(4);
    return buffer.getInt() & 0xffff_ffffL;
  }

  boolean bool() {
    return unsignedInt() != 0;
  }

  long longValue() {
    align(8);
    return buffer.getLong();
  }

  /** A string or an object path. */
  String string() {
    align(4);
    return text(buffer.getInt());
  }

  String signature() {
    return text(byteValue());
  }

  private String text(int length) {
    String text = new String(buffer.array(), at(buffer.position()), length, UTF_8);
    buffer.position(buffer.position() + length + 1);
    return text;
  }

  private int at(int position) {
    return buffer.arrayOffset() + position;
  }

  /**
   * Goes to the first element of an array.
   *
   * @param elementAlignment of the type of its elements, in bytes
   * @return the position after its last element
   */
  int array(int elementAlignment) {
    align(4);
    int length = buffer.getInt();
    align(elementAlignment);
    return buffer.position() + length;
  }

  List<String> strings() {
    List<String> strings = new ArrayList<>();
    int end = array(4);
    while (isBefore(end)) {
      strings.add(string());
    }
    return strings;
  }

  /** Bytes of an array in hex digits. */
  String hex() {
    int end = array(1);
    int start = buffer.position();
    buffer.position(end);
    return HexFormat.of().formatHex(buffer.array(), at(start), at(end));
  }

  /** The string within a variant. */
  String stringVariant() throws ProtocolException {
    expect("s");
    return string();
  }

  /** The unsigned number of 32 or 64 bits within a variant. */
  long numberVariant() throws ProtocolException {
    String type = signature();
    return switch (type) {
      case "u" -> unsignedInt();
      case "i" -> (int) unsignedInt();
      case "t" -> longValue();
      default -> throw new ProtocolException("a number was expected, not " + type);
    };
  }

  String hexVariant() throws ProtocolException {
    expect("ay");
    return hex();
  }

  List<String> stringsVariant() throws ProtocolException {
    expect("as");
    return strings();
  }

  /** Goes to the first field of the struct within a variant. */
  void structVariant(String type) throws ProtocolException {
    expect(type);
    align(8);
  }

  private void expect(String expected) throws ProtocolException {
    String type = signature();
    if (!type.equals(expected)) {
      throw new ProtocolException("a value of type " + expected + " was expected, not " + type);
    }
  }

  void skipVariant() throws ProtocolException {
    String type = signature();
    skip(type, 0);
  }

  /** Skips one value, and returns the index in the signature after its type. */
  private int skip(String signature, int index) throws ProtocolException {
    char type = signature.charAt(index);
    switch (type) {
      case 'y' -> buffer.get();
      case 'n', 'q' -> forward(2, 2);
      case 'b', 'i', 'u', 'h' -> forward(4, 4);
      case 'x', 't', 'd' -> forward(8, 8);
      case 's', 'o' -> {
        align(4);
        int length = buffer.getInt();
        buffer.position(buffer.position() + length + 1);
      }
      case 'g' -> {
        int length = byteValue();
        buffer.position(buffer.position() + length + 1);
      }
      case 'v' -> skipVariant();
      case 'a' -> {
        int end = array(alignment(signature.charAt(index + 1)));
        buffer.position(end);
        return typeEnd(signature, index + 1);
      }
      case '(', '{' -> {
        align(8);
        int next = index + 1;
        while (signature.charAt(next) != ')' && signature.charAt(next) != '}') {
          next = skip(signature, next);
        }
        return next + 1;
      }
      default -> throw new ProtocolException("unknown type " + type + " in " + signature);
    }
    return index + 1;
  }

  private void forward(int alignment, int size) {
    align(alignment);
    buffer.position(buffer.position() + size);
  }

  private static int alignment(char type) {
    return switch (type) {
      case 'y', 'g', 'v' -> 1;
      case 'n', 'q' -> 2;
      case 'x', 't', 'd', '(', '{' -> 8;
      default -> 4;
    };
  }

  /** The index after the complete type that starts at an index. */
  private static int typeEnd(String signature, int start) {
    int index = start;
    while (signature.charAt(index) == 'a') {
      index++;
    }
    int depth = 0;
    do {
      char type = signature.charAt(index++);
      if (type == '(' || type == '{') {
        depth++;
      } else if (type == ')' || type == '}') {
        depth--;
      }
    } while (depth > 0);
    return index;
  }
}
