package fleet.core.machine;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A machine of the cluster as it presents itself.
 *
 * @param id from {@code /etc/machine-id}
 * @param bootId new at each boot
 * @param publicIp published address; empty where none is
 * @param metadata sorted by key
 * @param version of its fleetd
 * @param isolation what becomes of its units while it is cut off
 */
public record Machine(
    String id,
    String bootId,
    String publicIp,
    Map<String, String> metadata,
    String version,
    Isolation isolation) {

  /** A machine whose units go on running whatever happens. */
  public Machine(
      String id, String bootId, String publicIp, Map<String, String> metadata, String version) {
    this(id, bootId, publicIp, metadata, version, Isolation.KEEP);
  }

  public Machine {
    metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
  }

  public Machine withMetadata(Map<String, String> other) {
    return new Machine(id, bootId, publicIp, other, version, isolation);
  }

  public Machine withIsolation(Isolation other) {
    return new Machine(id, bootId, publicIp, metadata, version, other);
  }
}
