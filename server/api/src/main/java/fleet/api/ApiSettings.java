package fleet.api;

import fleet.core.access.AccessRole;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the API.
 *
 * @param version of fleetd, as the {@code Server} header shows it
 * @param tokenLimit entities per page, 1 to 65535
 * @param names by which clients may ask for this machine over TCP, besides its own
 * @param heartbeat the longest silence of an event stream
 * @param vouched the role of all certificates of the authority, in addition to grants
 */
public record ApiSettings(
    String version,
    int tokenLimit,
    List<String> names,
    Duration heartbeat,
    Optional<AccessRole> vouched) {

  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  public ApiSettings {
    names = List.copyOf(names);
    if (tokenLimit < 1 || tokenLimit > PageToken.MAX) {
      throw new IllegalArgumentException(
          "token_limit is " + tokenLimit + ", it must be from 1 to " + PageToken.MAX);
    }
  }

  public ApiSettings(
      String version, int tokenLimit, List<String> names, Optional<AccessRole> vouched) {
    this(version, tokenLimit, names, HEARTBEAT, vouched);
  }
}
