package fleet.fleetd.libc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The common part of all calls of the C library. The JVM needs {@code --enable-native-access} for
 * them. Safe for use by many threads.
 */
public final class SystemCall {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private SystemCall() {}

  /** Invokes the handle of a function. */
  @FunctionalInterface
  public interface Invocation<T> {
    /**
     * Invokes it.
     *
     * @param arena for memory that the function needs
     * @param state where it leaves its error, the first of its arguments
     */
    T in(Arena arena, MemorySegment state) throws Throwable;
  }

  /** A function of that name, whose first argument is the state in front of its own. */
  @SuppressWarnings("restricted")
  public static MethodHandle of(String name, FunctionDescriptor shape) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), shape, Linker.Option.captureCallState("errno"));
  }

  /** Makes a call, with memory that lasts as long. */
  public static <T> T make(Invocation<T> call) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      return call.in(arena, arena.allocate(STATE));
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }

  /** The error of a call that has failed. */
  public static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  /**
   * The result of a call that succeeded.
   *
   * @throws IOException if it is negative
   */
  public static long checked(String what, long result, MemorySegment state) throws IOException {
    if (result < 0) {
      throw new IOException(what + ": errno " + errno(state));
    }
    return result;
  }
}
