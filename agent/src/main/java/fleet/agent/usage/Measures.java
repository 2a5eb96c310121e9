package fleet.agent.usage;

import java.util.OptionalLong;

/**
 * What something uses; empty where that cannot be measured.
 *
 * @param cpuNanos processor time from some beginning
 * @param memory in bytes, now
 */
record Measures(OptionalLong cpuNanos, OptionalLong memory) {}
