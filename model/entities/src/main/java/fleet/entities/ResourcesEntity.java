package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * So much of a machine; what is not there is not known, or nothing.
 *
 * @param cpuMillis thousandths of a processor
 * @param disk in bytes
 * @param memory in bytes
 * @param tasks processes and threads
 */
@Json
public record ResourcesEntity(
    @Nullable Long cpuMillis, @Nullable Long disk, @Nullable Long memory, @Nullable Long tasks) {}
