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

  /** A function of that name, whose first argument is {@link #state} in front of its own. */
  @SuppressWarnings("restricted")
  public static MethodHandle of(String name, FunctionDescriptor shape) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), shape, Linker.Option.captureCallState("errno"));
  }

  /** Where a call leaves its error. */
  public static MemorySegment state(Arena arena) {
    return arena.allocate(STATE);
  }

  /** The error of a call that has failed. */
  public static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  /**
   * Does nothing if a call succeeded.
   *
   * @throws IOException if its result is negative
   */
  public static void check(String what, long result, MemorySegment state) throws IOException {
    if (result < 0) {
      throw new IOException(what + ": errno " + errno(state));
    }
  }

  /** Converts what a method handle threw, for a caller that expects an {@link IOException}. */
  public static IOException rethrown(Throwable thrown) {
    return switch (thrown) {
      case IOException e -> e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> new IOException(thrown);
    };
  }
}
