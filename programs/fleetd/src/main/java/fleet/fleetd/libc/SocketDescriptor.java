package fleet.fleetd.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
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
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = SystemCall.state(arena);
      int number = (int) SOCKET.invokeExact(state, family, type | SOCK_CLOEXEC, protocol);
      SystemCall.check("socket", number, state);
      return new SocketDescriptor(number);
    } catch (Throwable e) {
      throw SystemCall.rethrown(e);
    }
  }

  /** Another number for the same socket, which stays open when the first one is closed. */
  public static SocketDescriptor copyOf(int number) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = SystemCall.state(arena);
      int copy = (int) DUP.invokeExact(state, number);
      SystemCall.check("dup", copy, state);
      return new SocketDescriptor(copy);
    } catch (Throwable e) {
      throw SystemCall.rethrown(e);
    }
  }

  @Override
  public void close() {
    try (Arena arena = Arena.ofConfined()) {
      int _ = (int) CLOSE.invokeExact(SystemCall.state(arena), number);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
