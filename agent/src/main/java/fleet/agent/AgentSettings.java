package fleet.agent;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What an agent needs to know of its surroundings.
 *
 * @param unitsDirectory where unit files are placed
 * @param marksDirectory where their marks are kept; ends with the boot
 * @param safetyPass how often everything is looked at although no event said so
 */
public record AgentSettings(Path unitsDirectory, Path marksDirectory, Duration safetyPass) {}
