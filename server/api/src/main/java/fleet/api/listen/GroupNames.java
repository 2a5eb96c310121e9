package fleet.api.listen;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Names groups by their number: {@code getgrgid_r} of the C library. */
final class GroupNames {

  /** Members of a group take space as well. A group with too many is named by its number. */
  private static final int ROOM = 256 << 10;

  /** More than a {@code struct group} takes, which begins with the pointer to the name. */
  private static final int STRUCT = 64;

  private static final int LONGEST = 256;

  private static final MethodHandle CALL = call();

  private GroupNames() {}

  // "restricted": native code could break the process; it writes no more than it is told.
  @SuppressWarnings("restricted")
  private static MethodHandle call() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("getgrgid_r"),
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
  }

  @SuppressWarnings("restricted")
  static String of(int group) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entry = arena.allocate(STRUCT, Long.BYTES);
      MemorySegment room = arena.allocate(ROOM);
      MemorySegment found = arena.allocate(ADDRESS);
      int result = (int) CALL.invokeExact(group, entry, room, (long) ROOM, found);
      if (result != 0 || found.get(ADDRESS, 0).equals(MemorySegment.NULL)) {
        return Integer.toUnsignedString(group);
      }
      return entry.get(ADDRESS, 0).reinterpret(LONGEST).getString(0);
    } catch (Throwable e) {
      throw new IllegalStateException("getgrgid_r cannot be called", e);
    }
  }
}
