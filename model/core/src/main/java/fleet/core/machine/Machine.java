package fleet.core.machine;

import fleet.core.text.SingleLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A machine of the cluster as it presents itself.
 *
 * @param id from {@code /etc/machine-id}
 * @param bootId new at each boot
 * @param publicIp published address; empty if none is
 * @param metadata sorted by key
 * @param version of its fleetd
 * @param isolation the fate of its units while it is isolated
 * @param total its resources
 * @param kept the part of them that is not for units
 * @param hostname empty if a version of fleetd before it did not say
 * @param architecture of its processor, such as {@code x86_64}; empty as well
 * @param maintenance the end of its maintenance window; the cluster adds that, and not the machine
 */
public record Machine(
    String id,
    String bootId,
    String publicIp,
    Map<String, String> metadata,
    String version,
    Isolation isolation,
    Resources total,
    Resources kept,
    String hostname,
    String architecture,
    Optional<Instant> maintenance) {

  /** The limit of all texts together, in characters. */
  private static final int LONGEST = 64 * 1024;

  private static final int SHOWN = 200;

  /** A machine that says little of itself, and whose units keep running in isolation. */
  public Machine(
      String id, String bootId, String publicIp, Map<String, String> metadata, String version) {
    this(
        id,
        bootId,
        publicIp,
        metadata,
        version,
        Isolation.KEEP,
        Resources.UNKNOWN,
        Resources.UNKNOWN,
        "",
        "",
        Optional.empty());
  }

  public Machine {
    metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
  }

  /**
   * Why nobody should be shown this description: it has control characters, which would forge lines
   * and command terminals, or it is longer than any description; empty if it is fine.
   */
  public Optional<String> objection() {
    for (String text : texts()) {
      if (!SingleLine.isOne(text)) {
        return Optional.of(
            "it describes itself with control characters: \"%s\""
                .formatted(SingleLine.of(text, SHOWN)));
      }
    }
    int length = length();
    return length > LONGEST
        ? Optional.of(
            "it describes itself with %d characters, and %d are the most"
                .formatted(length, LONGEST))
        : Optional.empty();
  }

  /** The length of all its texts together, in characters. */
  public int length() {
    return texts().stream().mapToInt(String::length).sum();
  }

  private List<String> texts() {
    List<String> texts =
        new ArrayList<>(List.of(id, bootId, publicIp, version, hostname, architecture));
    texts.addAll(metadata.keySet());
    texts.addAll(metadata.values());
    return texts;
  }

  public Machine withMetadata(Map<String, String> other) {
    return with(other, isolation, total, kept, hostname, architecture, maintenance);
  }

  /** The same machine, with a hostname and an architecture. */
  public Machine withHost(String name, String processor) {
    return with(metadata, isolation, total, kept, name, processor, maintenance);
  }

  public Machine withIsolation(Isolation other) {
    return with(metadata, other, total, kept, hostname, architecture, maintenance);
  }

  /** The same machine, with these resources. */
  public Machine withResources(Resources all, Resources own) {
    return with(metadata, isolation, all, own, hostname, architecture, maintenance);
  }

  /** The same machine, in maintenance until then, or in none. */
  public Machine withMaintenance(Optional<Instant> until) {
    return with(metadata, isolation, total, kept, hostname, architecture, until);
  }

  private Machine with(
      Map<String, String> otherMetadata,
      Isolation otherIsolation,
      Resources all,
      Resources own,
      String name,
      String processor,
      Optional<Instant> until) {
    return new Machine(
        id,
        bootId,
        publicIp,
        otherMetadata,
        version,
        otherIsolation,
        all,
        own,
        name,
        processor,
        until);
  }
}
