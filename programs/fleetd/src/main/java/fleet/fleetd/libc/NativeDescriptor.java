package fleet.fleetd.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * A descriptor that the JDK has no class for: a socket of another family, or an event. Safe for use
 * by many threads until closed.
 *
 * @param number by which calls of the C library name it
 */
public record NativeDescriptor(int number) implements AutoCloseable {

  private static final int SOCK_CLOEXEC = 0x80000;

  private static final MethodHandle SOCKET =
      SystemCall.of("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle DUP =
      SystemCall.of("dup", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle CLOSE =
      SystemCall.of("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  /** Makes a socket that no child process inherits; the numbers are those of {@code socket(2)}. */
  public static NativeDescriptor open(int family, int type, int protocol) throws IOException {
    return SystemCall.make((_, state) -> {
      int number = (int) SOCKET.invokeExact(state, family, type | SOCK_CLOEXEC, protocol);
      return new NativeDescriptor((int) SystemCall.checked("socket", number, state));
    });
  }

  /** Another number for the same socket, which stays open when the first one is closed. */
  public static NativeDescriptor copyOf(int number) throws IOException {
    return SystemCall.make((_, state) -> {
      int copy = (int) DUP.invokeExact(state, number);
      return new NativeDescriptor((int) SystemCall.checked("dup", copy, state));
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
