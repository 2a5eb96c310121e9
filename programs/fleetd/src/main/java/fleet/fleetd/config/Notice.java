package fleet.fleetd.config;

import org.slf4j.event.Level;

/** Something to say about the configuration once there is a log to say it in. */
public record Notice(Level level, String text) {}
