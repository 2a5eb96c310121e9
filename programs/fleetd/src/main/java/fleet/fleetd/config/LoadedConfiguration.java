package fleet.fleetd.config;

import java.util.List;

/**
 * A configuration and the notices about it.
 *
 * @param notices in the order in which they were found, the source first
 */
public record LoadedConfiguration(Configuration configuration, List<Notice> notices) {}
