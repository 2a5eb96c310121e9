package fleet.agent;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The surroundings of an agent.
 *
 * @param unitsDirectory where unit files are placed
 * @param marksDirectory where their marks are kept; ends with the boot
 * @param isolationDirectory where the deadline of the isolation guard is kept; ends with the boot
 * @param safetyPass how often everything is looked at although no event said so
 * @param ttl how long the machine may be silent before the cluster runs its units elsewhere
 * @param user whether its systemd is a user's
 */
public record AgentSettings(
    Path unitsDirectory,
    Path marksDirectory,
    Path isolationDirectory,
    Duration safetyPass,
    Duration ttl,
    boolean user) {}
