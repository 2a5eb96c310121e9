package fleet.fleetd.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A unix datagram socket to send with; the JDK has none. Calls libc, so the JVM needs {@code
 * --enable-native-access}. Safe for use by many threads until closed.
 */
public final class DatagramSocket implements AutoCloseable {
  public static final short AF_UNIX = 1;
  public static final int SOCK_DGRAM = 2;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int SOL_SOCKET = 1;
  private static final int SO_SNDTIMEO = 21;
  private static final int PATH_LIMIT = 108;

  private static final MethodHandle SENDTO =
      SystemCall.of(
          "sendto",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle SETSOCKOPT =
      SystemCall.of(
          "setsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private final NativeDescriptor socket;

  private DatagramSocket(NativeDescriptor socket) {
    this.socket = socket;
  }

  public static DatagramSocket open() throws IOException {
    return new DatagramSocket(NativeDescriptor.open(AF_UNIX, SOCK_DGRAM, 0));
  }

  /** One whose reader has so long to make room for a datagram. */
  public static DatagramSocket open(Duration patience) throws IOException {
    DatagramSocket socket = open();
    int number = socket.socket.number();
    try {
      long _ =
          SystemCall.make((arena, state) -> {
            MemorySegment time = arena.allocate(JAVA_LONG, 2);
            time.setAtIndex(JAVA_LONG, 0, patience.getSeconds());
            time.setAtIndex(JAVA_LONG, 1, patience.getNano() / 1000);
            int size = (int) time.byteSize();
            int result =
                (int) SETSOCKOPT.invokeExact(state, number, SOL_SOCKET, SO_SNDTIMEO, time, size);
            return SystemCall.checked("setsockopt", result, state);
          });
      return socket;
    } catch (IOException | RuntimeException | Error e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Sends one datagram.
   *
   * @param address a path, or {@code @} and a name of the abstract namespace
   */
  public void send(String text, String address) throws IOException {
    send(text.getBytes(StandardCharsets.UTF_8), address, 0);
  }

  /** The same, but fails if its reader has no room for it now. */
  public void sendAtOnce(byte[] datagram, String address) throws IOException {
    send(datagram, address, MSG_DONTWAIT);
  }

  public void send(byte[] datagram, String address) throws IOException {
    send(datagram, address, 0);
  }

  private void send(byte[] datagram, String address, int flags) throws IOException {
    long _ =
        SystemCall.make((arena, state) -> {
          MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, datagram);
          MemorySegment to = address(arena, address);
          long sent =
              (long)
                  SENDTO.invokeExact(
                      state,
                      socket.number(),
                      bytes,
                      bytes.byteSize(),
                      MSG_NOSIGNAL | flags,
                      to,
                      (int) to.byteSize());
          return SystemCall.checked("sendto " + address, sent, state);
        });
  }

  /** A {@code sockaddr_un} of just the length that the name needs. */
  public static MemorySegment address(Arena arena, String address) throws IOException {
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

  @Override
  public void close() {
    socket.close();
  }
}
