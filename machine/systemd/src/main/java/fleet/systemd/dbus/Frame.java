package fleet.systemd.dbus;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One message as it came in, in the reader's buffer: only good until the next one is read. Only the
 * positions of the header's fields are known at first; the body is not looked at.
 */
final class Frame {

  static final int METHOD_RETURN = 2;
  static final int ERROR = 3;
  static final int SIGNAL = 4;

  private static final int PATH = 1;
  private static final int MEMBER = 3;
  private static final int ERROR_NAME = 4;
  private static final int REPLY_SERIAL = 5;
  private static final int FIELDS = 10;

  /** Up to the length of the array of header fields, inclusive. */
  static final int FIXED_HEADER = 16;

  private final ByteBuffer message;
  private final Unmarshaller cursor;
  private final int type;
  private final int bodyStart;
  private final int[] fields = new int[FIELDS];

  /**
   * @param message exactly one message, with an array behind it
   */
  Frame(ByteBuffer message) {
    this.message = message;
    this.cursor = new Unmarshaller(message);
    message.order(order(message.get(0)));
    type = message.get(1);
    int fieldsEnd = FIXED_HEADER + message.getInt(12);
    bodyStart = aligned(fieldsEnd);
    locateFields(fieldsEnd);
  }

  /** The length of the message that starts at a position, of which the fixed header is there. */
  static long length(ByteBuffer buffer, int start) {
    ByteOrder before = buffer.order();
    buffer.order(order(buffer.get(start)));
    long body = buffer.getInt(start + 4) & 0xffff_ffffL;
    long header = buffer.getInt(start + 12) & 0xffff_ffffL;
    buffer.order(before);
    return FIXED_HEADER + ((header + 7) & -8) + body;
  }

  private static ByteOrder order(byte mark) {
    return mark == 'B' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static int aligned(int position) {
    return (position + 7) & -8;
  }

  private void locateFields(int end) {
    cursor.position(FIXED_HEADER);
    while (cursor.isBefore(end)) {
      cursor.align(8);
      int field = cursor.byteValue();
      int signatureLength = cursor.byteValue();
      int kind = message.get(cursor.position());
      cursor.position(cursor.position() + signatureLength + 1);
      if (field < FIELDS) {
        fields[field] = cursor.position();
      }
      switch (kind) {
        case 'u' -> cursor.unsignedInt();
        case 'g' -> cursor.position(cursor.byteValue() + cursor.position() + 1);
        default -> {
          int length = (int) cursor.unsignedInt();
          cursor.position(cursor.position() + length + 1);
        }
      }
    }
  }

  int type() {
    return type;
  }

  /** The object that a signal comes from. */
  String path() {
    return text(PATH);
  }

  String member() {
    return text(MEMBER);
  }

  String errorName() {
    return text(ERROR_NAME);
  }

  /** The serial of the call that this answers. */
  long replySerial() {
    if (fields[REPLY_SERIAL] == 0) {
      return 0;
    }
    cursor.position(fields[REPLY_SERIAL]);
    return cursor.unsignedInt();
  }

  boolean hasBody() {
    return bodyStart < message.limit();
  }

  /** The body, to be read once. */
  Unmarshaller body() {
    return new Unmarshaller(
        message.slice(bodyStart, message.limit() - bodyStart).order(message.order()));
  }

  private String text(int field) {
    if (fields[field] == 0) {
      return "";
    }
    cursor.position(fields[field]);
    return cursor.string();
  }
}
