package fleet.fleetd.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * A socket of a family that the JDK does not have. Safe for use by many threads until closed.
 *
 * @param number by which calls of the C library name it
 */
public record SocketDescriptor(int number) implements AutoCloseable {

  private static final int SOCK_CLOEXEC = 0x80000;

  private static final MethodHandle SOCKET =
      SystemCall.of("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle DUP =
      SystemCall.of("dup", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle CLOSE =
      SystemCall.of("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  /** Makes one that no child process inherits; the numbers are those of {@code socket(2)}. */
  public static SocketDescriptor open(int family, int type, int protocol) throws IOException {
    return SystemCall.make((_, state) -> {
      int number = (int) SOCKET.invokeExact(state, family, type | SOCK_CLOEXEC, protocol);
      return new SocketDescriptor((int) SystemCall.checked("socket", number, state));
    });
  }

  /** Another number for the same socket, which stays open when the first one is closed. */
  public static SocketDescriptor copyOf(int number) throws IOException {
    return SystemCall.make((_, state) -> {
      int copy = (int) DUP.invokeExact(state, number);
      return new SocketDescriptor((int) SystemCall.checked("dup", copy, state));
    });
  }

  @Override
  public void close() {
    try {
      int _ = SystemCall.make((_, state) -> (int) CLOSE.invokeExact(state, number));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
