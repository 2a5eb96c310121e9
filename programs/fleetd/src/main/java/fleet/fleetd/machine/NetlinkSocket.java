package fleet.fleetd.machine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import fleet.fleetd.libc.NativeDescriptor;
import fleet.fleetd.libc.SystemCall;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** A socket on which the kernel says what changes; reading never waits. Used by one thread. */
final class NetlinkSocket implements AutoCloseable {

  /** Addresses and routes. */
  static final int ROUTE = 0;

  /** Devices, processors and memory that come and go. */
  static final int DEVICES = 15;

  private static final int AF_NETLINK = 16;
  private static final int SOCK_RAW = 3;
  private static final int SOCK_NONBLOCK = 0x800;
  private static final int EAGAIN = 11;
  private static final int EINTR = 4;
  private static final int ENOBUFS = 105;

  /** The kernel sends no longer ones. */
  private static final int LONGEST = 8192;

  private static final MethodHandle BIND =
      SystemCall.of("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle RECV =
      SystemCall.of(
          "recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private final NativeDescriptor socket;

  private NetlinkSocket(NativeDescriptor socket) {
    this.socket = socket;
  }

  /** The result of a read from the kernel. */
  sealed interface Said {
    record Message(ByteBuffer bytes) implements Said {}

    /** So much at once that some of it got lost. */
    record TooMuch() implements Said {}
  }

  /**
   * Hears some of the kernel's groups.
   *
   * @param protocol {@link #ROUTE} or {@link #DEVICES}
   * @param groups a bit for each
   */
  static NetlinkSocket open(int protocol, int groups) throws IOException {
    NativeDescriptor socket = NativeDescriptor.open(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK, protocol);
    try {
      long _ =
          SystemCall.make((arena, state) -> {
            MemorySegment address = arena.allocate(12, 4);
            address.set(JAVA_SHORT, 0, (short) AF_NETLINK);
            address.set(JAVA_INT, 8, groups);
            int size = (int) address.byteSize();
            int bound = (int) BIND.invokeExact(state, socket.number(), address, size);
            return SystemCall.checked("bind", bound, state);
          });
      return new NetlinkSocket(socket);
    } catch (IOException | RuntimeException | Error e) {
      socket.close();
      throw e;
    }
  }

  int descriptor() {
    return socket.number();
  }

  /** The next message; empty if there is none now. */
  Optional<Said> read() throws IOException {
    return SystemCall.make((arena, state) -> {
      MemorySegment buffer = arena.allocate(LONGEST, 4);
      long length = (long) RECV.invokeExact(state, socket.number(), buffer, (long) LONGEST, 0);
      if (length >= 0) {
        byte[] bytes = buffer.asSlice(0, length).toArray(JAVA_BYTE);
        return Optional.of(new Said.Message(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder())));
      }
      return switch (SystemCall.errno(state)) {
        case EAGAIN -> Optional.empty();
        case ENOBUFS, EINTR -> Optional.of(new Said.TooMuch());
        default -> throw new IOException("recv: errno " + SystemCall.errno(state));
      };
    });
  }

  @Override
  public void close() {
    socket.close();
  }
}
