package fleet.core.machine;

/**
 * What a machine has in all, or some share of it. Zero is what is not known.
 *
 * @param cpuMillis processors, in thousandths of one
 * @param memory in bytes
 * @param disk in bytes
 */
public record Resources(long cpuMillis, long memory, long disk) {

  public static final Resources UNKNOWN = new Resources(0, 0, 0);
}
