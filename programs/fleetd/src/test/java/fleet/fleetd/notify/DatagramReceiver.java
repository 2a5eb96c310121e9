package fleet.fleetd.notify;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import fleet.fleetd.libc.DatagramSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Plays systemd for a service that notifies: a bound unix datagram socket. */
public final class DatagramReceiver implements AutoCloseable {
  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVTIMEO = 20;
  private static final long SECONDS = 300;
  private static final int LIMIT = 4096;

  private static final MethodHandle SOCKET =
      call("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle BIND =
      call("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle SETSOCKOPT =
      call(
          "setsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle RECV =
      call("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle CLOSE =
      call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private final int descriptor;

  private DatagramReceiver(int descriptor) {
    this.descriptor = descriptor;
  }

  @SuppressWarnings("restricted")
  private static MethodHandle call(String name, FunctionDescriptor shape) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape);
  }

  /** Its {@link #receive} waits five minutes at most. */
  public static DatagramReceiver bind(String address) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      int descriptor =
          (int) SOCKET.invokeExact((int) DatagramSocket.AF_UNIX, DatagramSocket.SOCK_DGRAM, 0);
      MemorySegment name = DatagramSocket.address(arena, address);
      require((int) BIND.invokeExact(descriptor, name, (int) name.byteSize()));
      MemorySegment limit = arena.allocateFrom(JAVA_LONG, SECONDS, 0L);
      require(
          (int)
              SETSOCKOPT.invokeExact(
                  descriptor, SOL_SOCKET, SO_RCVTIMEO, limit, (int) limit.byteSize()));
      return new DatagramReceiver(descriptor);
    }
  }

  public String receive() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(LIMIT);
      long begun = System.nanoTime();
      long length = (long) RECV.invokeExact(descriptor, buffer, (long) LIMIT, 0);
      while (length < 0 && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(SECONDS)) {
        // A process that was stopped and continued has its wait interrupted.
        length = (long) RECV.invokeExact(descriptor, buffer, (long) LIMIT, 0);
      }
      require(length);
      return new String(buffer.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    }
  }

  private static void require(long result) {
    if (result < 0) {
      throw new IllegalStateException("no datagram, or no socket");
    }
  }

  @Override
  public void close() {
    try {
      require((int) CLOSE.invokeExact(descriptor));
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
