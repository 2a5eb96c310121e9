package fleet.systemd.dbus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Writes method calls as D-Bus has them on the wire, with arguments of the few types needed. */
final class Marshaller {

  private static final int METHOD_CALL = 1;
  private static final int VERSION = 1;

  /** Calls are not to start a systemd that is not there. */
  private static final int NO_AUTO_START = 2;

  private static final int BODY_LENGTH_AT = 4;
  private static final int FIELDS_LENGTH_AT = 12;

  private ByteBuffer buffer = ByteBuffer.allocate(512).order(ByteOrder.LITTLE_ENDIAN);

  private Marshaller() {}

  /**
   * A call as bytes.
   *
   * @param toBus whether there is a bus, which must be told the destination
   */
  static ByteBuffer marshal(MethodCall call, int serial, boolean toBus) {
    Marshaller out = new Marshaller();
    out.header(call, serial, toBus);
    out.align(8);
    int start = out.buffer.position();
    out.body(call);
    out.buffer.putInt(BODY_LENGTH_AT, out.buffer.position() - start);
    return out.buffer.flip();
  }

  private void header(MethodCall call, int serial, boolean toBus) {
    buffer.put((byte) 'l').put((byte) METHOD_CALL).put((byte) NO_AUTO_START).put((byte) VERSION);
    buffer.putInt(0).putInt(serial).putInt(0);
    int start = buffer.position();
    field(1, 'o', call.path());
    field(2, 's', call.type());
    field(3, 's', call.member());
    if (toBus) {
      field(6, 's', call.destination());
    }
    if (!call.signature().isEmpty()) {
      field(8, 'g', call.signature());
    }
    buffer.putInt(FIELDS_LENGTH_AT, buffer.position() - start);
  }

  private void field(int code, char type, String value) {
    align(8);
    room(4).put((byte) code).put((byte) 1).put((byte) type).put((byte) 0);
    if (type == 'g') {
      signature(value);
    } else {
      string(value);
    }
  }

  private void signature(String value) {
    byte[] bytes = value.getBytes(UTF_8);
    room(bytes.length + 2).put((byte) bytes.length).put(bytes).put((byte) 0);
  }

  private void body(MethodCall call) {
    for (Object argument : call.arguments()) {
      switch (argument) {
        case String text -> string(text);
        case Boolean flag -> number(flag ? 1 : 0);
        case Integer number -> number(number);
        case List<?> texts -> strings(texts);
        default -> throw new IllegalArgumentException(call.toString());
      }
    }
  }

  private void string(String value) {
    byte[] bytes = value.getBytes(UTF_8);
    number(bytes.length);
    room(bytes.length + 1).put(bytes).put((byte) 0);
  }

  private void strings(List<?> values) {
    number(0);
    int start = buffer.position();
    values.forEach(value -> string(value.toString()));
    buffer.putInt(start - 4, buffer.position() - start);
  }

  private void number(int value) {
    align(4);
    room(4).putInt(value);
  }

  private void align(int size) {
    while (buffer.position() % size != 0) {
      room(1).put((byte) 0);
    }
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      int capacity = Math.max(buffer.capacity() * 2, buffer.position() + bytes);
      buffer = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(buffer.flip());
    }
    return buffer;
  }
}
