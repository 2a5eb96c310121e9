package fleet.agent.usage;

import java.util.OptionalLong;

/**
 * The consumption of a unit or a machine; empty if it cannot be measured.
 *
 * @param cpuNanos processor time from some beginning
 * @param memory in bytes, now
 */
record Measures(OptionalLong cpuNanos, OptionalLong memory) {}
