package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A machine. Fields that fleet 1.0 did not have come last.
 *
 * @param capacity what of it may be promised to units
 * @param cordoned true if nothing new comes to it, else absent
 * @param drain how the units that are there go elsewhere; absent if they do not
 * @param reserved what is promised to units
 * @param total what it has
 * @param hostname empty if its fleetd is too old to say
 * @param architecture of its processor, such as {@code x86_64}
 * @param version of its fleetd
 * @param role {@code server} or {@code agent}
 * @param leader true if its engine decides, else absent
 * @param state {@code ready}, {@code cordoned}, {@code draining}, {@code drained} or {@code
 *     maintenance}; {@code lost} or {@code left} if it is not there
 * @param units how many are there, global ones included
 * @param since when it was lost or left; empty if it is there
 * @param maintenance its maintenance window; absent if it is in none
 */
@Json
public record MachineEntity(
    String id,
    Map<String, String> metadata,
    String primaryIP,
    @Nullable ResourcesEntity capacity,
    @Nullable Boolean cordoned,
    @Nullable DrainEntity drain,
    @Nullable ResourcesEntity reserved,
    @Nullable ResourcesEntity total,
    String hostname,
    String architecture,
    String version,
    String role,
    @Nullable Boolean leader,
    String state,
    @Nullable Integer units,
    String since,
    @Nullable MaintenanceEntity maintenance)
    implements Entity {

  /** A machine as fleet 1.0 shows it. */
  public MachineEntity(String id, Map<String, String> metadata, String primaryIP) {
    this(
        id, metadata, primaryIP, null, null, null, null, null, "", "", "", "", null, "", null, "",
        null);
  }

  /** An absent machine: as it was known, but with another state and number of units. */
  public MachineEntity absent(String otherState, @Nullable Integer otherUnits) {
    return new MachineEntity(
        id,
        metadata,
        primaryIP,
        null,
        null,
        null,
        null,
        null,
        hostname,
        architecture,
        version,
        "",
        null,
        otherState,
        otherUnits,
        since,
        null);
  }

  public MachineEntity {
    id = Empty.ifAbsent(id);
    metadata = Empty.ifAbsent(metadata);
    primaryIP = Empty.ifAbsent(primaryIP);
    hostname = Empty.ifAbsent(hostname);
    architecture = Empty.ifAbsent(architecture);
    version = Empty.ifAbsent(version);
    role = Empty.ifAbsent(role);
    state = Empty.ifAbsent(state);
    since = Empty.ifAbsent(since);
  }
}
