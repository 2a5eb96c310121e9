package fleet.agent.bid;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How busy a machine is, as far as its kernel tells. Pressures in percent of the time, amounts in
 * bytes.
 */
record MachineLoad(
    OptionalDouble cpuPressure,
    OptionalDouble memoryPressure,
    OptionalLong memory,
    OptionalLong memoryAvailable,
    OptionalLong disk,
    OptionalLong diskFree) {

  private static final double PERCENT = 100;

  // Pressure hurts now, as tasks wait; resources in use may hurt soon.
  private static final double MEMORY_PRESSURE_WEIGHT = 2;
  private static final double MEMORY_WEIGHT = 0.5;
  private static final double DISK_WEIGHT = 0.1;

  /** The pressures, that on memory twice, and some of what is in use, in percent. */
  int busy() {
    return (int)
        Math.round(
            cpuPressure.orElse(0)
                + MEMORY_PRESSURE_WEIGHT * memoryPressure.orElse(0)
                + MEMORY_WEIGHT * used(memory, memoryAvailable)
                + DISK_WEIGHT * used(disk, diskFree));
  }

  private static double used(OptionalLong all, OptionalLong free) {
    return all.isEmpty() || free.isEmpty() || all.getAsLong() <= 0
        ? 0
        : PERCENT * (all.getAsLong() - free.getAsLong()) / all.getAsLong();
  }

  /** Such as "CPU pressure 3 %, memory pressure 0 %, 40 % of memory and 12 % of disk in use". */
  String inWords() {
    List<String> words = new ArrayList<>();
    cpuPressure.ifPresent(percent -> words.add("CPU pressure %.0f %%".formatted(percent)));
    memoryPressure.ifPresent(percent -> words.add("memory pressure %.0f %%".formatted(percent)));
    words.add(
        "%.0f %% of memory and %.0f %% of disk in use"
            .formatted(used(memory, memoryAvailable), used(disk, diskFree)));
    return String.join(", ", words);
  }
}
