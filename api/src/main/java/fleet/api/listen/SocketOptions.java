package fleet.api.listen;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Asks the kernel what kind of socket a descriptor is: {@code getsockopt} of Linux. */
final class SocketOptions {

  static final int UNIX = 1;
  static final int INET = 2;
  static final int INET6 = 10;

  private static final int SOL_SOCKET = 1;
  private static final int SO_TYPE = 3;
  private static final int SO_ACCEPTCONN = 30;
  private static final int SO_DOMAIN = 39;
  private static final int SOCK_STREAM = 1;
  private static final int UNKNOWN = -1;

  private SocketOptions() {}

  static boolean isListeningStream(int descriptor) {
    return get(descriptor, SO_TYPE) == SOCK_STREAM && get(descriptor, SO_ACCEPTCONN) == 1;
  }

  /** The address family, such as {@link #UNIX}; negative where the descriptor is no socket. */
  static int domain(int descriptor) {
    return get(descriptor, SO_DOMAIN);
  }

  // "restricted": native code could break the process; getsockopt writes no more than it is told.
  @SuppressWarnings("restricted")
  private static int get(int descriptor, int option) {
    Linker linker = Linker.nativeLinker();
    MethodHandle getsockopt =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("getsockopt"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
      int result = (int) getsockopt.invokeExact(descriptor, SOL_SOCKET, option, value, length);
      return result == 0 ? value.get(ValueLayout.JAVA_INT, 0) : UNKNOWN;
    } catch (Throwable e) {
      throw new IllegalStateException("getsockopt cannot be called", e);
    }
  }
}
