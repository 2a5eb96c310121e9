package fleet.daemon.notify;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import fleet.daemon.libc.SocketDescriptor;
import fleet.daemon.libc.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * A unix datagram socket to send with; the JDK has none. Calls libc, so the JVM needs {@code
 * --enable-native-access}. Safe for use by many threads until closed.
 */
final class DatagramSocket implements AutoCloseable {
  static final short AF_UNIX = 1;
  static final int SOCK_DGRAM = 2;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int PATH_LIMIT = 108;

  private static final MethodHandle SENDTO =
      SystemCall.of(
          "sendto",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
  private final SocketDescriptor socket;

  private DatagramSocket(SocketDescriptor socket) {
    this.socket = socket;
  }

  static DatagramSocket open() throws IOException {
    return new DatagramSocket(SocketDescriptor.open(AF_UNIX, SOCK_DGRAM, 0));
  }

  /**
   * Sends one datagram.
   *
   * @param address a path, or {@code @} and a name of the abstract namespace
   */
  void send(String text, String address) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = SystemCall.state(arena);
      MemorySegment bytes = copy(arena, text.getBytes(StandardCharsets.UTF_8));
      MemorySegment to = address(arena, address);
      long sent =
          (long)
              SENDTO.invokeExact(
                  state,
                  socket.number(),
                  bytes,
                  bytes.byteSize(),
                  MSG_NOSIGNAL,
                  to,
                  (int) to.byteSize());
      SystemCall.check("sendto " + address, sent, state);
    } catch (Throwable e) {
      throw SystemCall.rethrown(e);
    }
  }

  /** A {@code sockaddr_un} of just the length that the name needs. */
  static MemorySegment address(Arena arena, String address) throws IOException {
    byte[] name = address.getBytes(StandardCharsets.UTF_8);
    boolean isAbstract = address.startsWith("@");
    if ((!isAbstract && !address.startsWith("/")) || name.length >= PATH_LIMIT) {
      throw new IOException(address + " is not the address of a unix socket");
    }
    if (isAbstract) {
      name[0] = 0;
    }
    // A path ends with a zero byte; a zero byte in an abstract name would be part of it.
    MemorySegment segment = arena.allocate(Short.BYTES + name.length + (isAbstract ? 0 : 1), 2);
    segment.set(JAVA_SHORT, 0, AF_UNIX);
    MemorySegment.copy(MemorySegment.ofArray(name), 0, segment, Short.BYTES, name.length);
    return segment;
  }

  private static MemorySegment copy(Arena arena, byte[] bytes) {
    MemorySegment segment = arena.allocate(bytes.length);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, bytes.length);
    return segment;
  }

  @Override
  public void close() {
    socket.close();
  }
}
