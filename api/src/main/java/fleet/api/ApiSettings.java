package fleet.api;

import java.time.Duration;
import java.util.List;

/**
 * What can be set of the API.
 *
 * @param version of fleetd, as the {@code Server} header shows it
 * @param tokenLimit entities per page, 1 to 65535
 * @param names by which clients may ask for this machine over TCP, besides its own
 * @param heartbeat the longest silence of an event stream
 */
public record ApiSettings(String version, int tokenLimit, List<String> names, Duration heartbeat) {

  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  public ApiSettings {
    names = List.copyOf(names);
    if (tokenLimit < 1 || tokenLimit > PageToken.MAX) {
      throw new IllegalArgumentException(
          "token_limit is " + tokenLimit + ", it must be from 1 to " + PageToken.MAX);
    }
  }

  public ApiSettings(String version, int tokenLimit, List<String> names) {
    this(version, tokenLimit, names, HEARTBEAT);
  }
}
