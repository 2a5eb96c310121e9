package fleet.api.listen;

import java.io.IOException;
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

  /** Where {@link #peer} has the number of the user. */
  static final int USER = 1;

  /** Where {@link #peer} has the number of the first group. */
  static final int GROUP = 2;

  private static final int SOL_SOCKET = 1;
  private static final int SO_TYPE = 3;
  private static final int SO_ACCEPTCONN = 30;
  private static final int SO_DOMAIN = 39;
  private static final int SO_PEERCRED = 17;
  private static final int SO_PEERGROUPS = 59;

  /** As many as Linux allows. */
  private static final int MOST_GROUPS = 65536;

  /** Process, user and group. */
  private static final int CREDENTIALS = 3;

  private static final int SOCK_STREAM = 1;
  private static final int UNKNOWN = -1;

  private static final MethodHandle CALL = call();

  private SocketOptions() {}

  // "restricted": native code could break the process; getsockopt writes no more than it is told.
  @SuppressWarnings("restricted")
  private static MethodHandle call() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("getsockopt"),
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS));
  }

  static boolean isListeningStream(int descriptor) {
    return get(descriptor, SO_TYPE) == SOCK_STREAM && get(descriptor, SO_ACCEPTCONN) == 1;
  }

  /** The address family, such as {@link #UNIX}; negative if the descriptor is no socket. */
  static int domain(int descriptor) {
    return get(descriptor, SO_DOMAIN);
  }

  /**
   * The user and group of the process that connected.
   *
   * @return with {@link #USER} and {@link #GROUP} as indexes
   */
  static int[] peer(int descriptor) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment credentials = arena.allocate(ValueLayout.JAVA_INT, CREDENTIALS);
      if (get(descriptor, SO_PEERCRED, credentials) != CREDENTIALS * Integer.BYTES) {
        throw new IOException("the kernel does not tell who connected");
      }
      return credentials.toArray(ValueLayout.JAVA_INT);
    }
  }

  /** The other groups of that process. */
  static int[] peerGroups(int descriptor) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment groups = arena.allocate(ValueLayout.JAVA_INT, MOST_GROUPS);
      int length = get(descriptor, SO_PEERGROUPS, groups);
      if (length < 0) {
        throw new IOException("the kernel does not tell the groups of who connected");
      }
      return groups.asSlice(0, length).toArray(ValueLayout.JAVA_INT);
    }
  }

  private static int get(int descriptor, int option) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
      return get(descriptor, option, value) < 0 ? UNKNOWN : value.get(ValueLayout.JAVA_INT, 0);
    }
  }

  /**
   * Reads an option.
   *
   * @return how many bytes of the value were written; negative if there is no such option
   */
  private static int get(int descriptor, int option, MemorySegment value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment length =
          arena.allocateFrom(ValueLayout.JAVA_INT, Math.toIntExact(value.byteSize()));
      int result = (int) CALL.invokeExact(descriptor, SOL_SOCKET, option, value, length);
      return result == 0 ? length.get(ValueLayout.JAVA_INT, 0) : UNKNOWN;
    } catch (Throwable e) {
      throw new IllegalStateException("getsockopt cannot be called", e);
    }
  }
}
