package fleet.core.machine;

/**
 * The resources of a machine, or some share of them. Zero is unknown.
 *
 * @param cpuMillis processors, in thousandths of one
 * @param memory in bytes
 * @param disk in bytes
 * @param tasks processes and threads
 */
public record Resources(long cpuMillis, long memory, long disk, long tasks) {

  public static final Resources UNKNOWN = new Resources(0, 0, 0);

  /** For a machine whose number of tasks is not known. */
  public Resources(long cpuMillis, long memory, long disk) {
    this(cpuMillis, memory, disk, 0);
  }

  public Resources plus(Resources other) {
    return new Resources(
        cpuMillis + other.cpuMillis, memory + other.memory, disk + other.disk, tasks + other.tasks);
  }

  public Resources minus(Resources other) {
    return new Resources(
        cpuMillis - other.cpuMillis, memory - other.memory, disk - other.disk, tasks - other.tasks);
  }
}
