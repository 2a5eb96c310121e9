package fleet.fleetd.machine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Which of the kernel's messages are about what a machine is known by. */
final class KernelMessages {

  private static final int HEADER = 16;
  private static final short NEW_ADDRESS = 20;
  private static final short ADDRESS_GONE = 21;
  private static final short NEW_ROUTE = 24;
  private static final short ROUTE_GONE = 25;

  private KernelMessages() {}

  /**
   * Whether messages of rtnetlink are about an address or a default route. A router may change
   * other routes all the time.
   */
  static boolean isAboutAddress(ByteBuffer messages) {
    while (messages.remaining() >= HEADER) {
      int start = messages.position();
      int length = messages.getInt(start);
      if (length < HEADER || length > messages.remaining()) {
        return false;
      }
      if (isAboutAddress(messages, start, length)) {
        return true;
      }
      int aligned = (length + 3) & ~3;
      messages.position(Math.min(start + aligned, messages.limit()));
    }
    return false;
  }

  private static boolean isAboutAddress(ByteBuffer messages, int start, int length) {
    return switch (messages.getShort(start + 4)) {
      case NEW_ADDRESS, ADDRESS_GONE -> true;
      // The length of the destination's prefix follows the family.
      case NEW_ROUTE, ROUTE_GONE -> length > HEADER + 1 && messages.get(start + HEADER + 1) == 0;
      default -> false;
    };
  }

  /** Whether a uevent is about a processor or memory: {@code online@/devices/system/cpu/cpu1}. */
  static boolean isAboutResources(ByteBuffer uevent) {
    String text = StandardCharsets.US_ASCII.decode(uevent.slice()).toString();
    int end = text.indexOf('\0');
    String subject = end < 0 ? text : text.substring(0, end);
    return subject.contains("@/devices/system/cpu/")
        || subject.contains("@/devices/system/memory/");
  }
}
