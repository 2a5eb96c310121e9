package fleet.engine;

import java.time.Duration;

/**
 * What an engine needs to know of its surroundings.
 *
 * @param machineGrace how long a machine that holds units may be silent, be it since it left or
 *     since this engine began to lead, before it counts as lost
 * @param safetyPass how often everything is looked at although no event said so
 * @param eventsKept how many events are kept for those who follow
 */
public record EngineSettings(Duration machineGrace, Duration safetyPass, int eventsKept) {}
