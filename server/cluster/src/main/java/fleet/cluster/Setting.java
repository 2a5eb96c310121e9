package fleet.cluster;

/**
 * A setting of the whole cluster.
 *
 * @param name such as {@code scheduler.strategy}
 * @param value in force
 * @param usual in force if nobody sets another
 * @param by who set it; empty if nobody did
 */
public record Setting(String name, String value, String usual, String by) {}
