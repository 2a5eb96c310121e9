package fleet.fleetctl.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version, which the build writes beside the classes. */
final class FleetctlVersion {

  private FleetctlVersion() {}

  /** As it is printed. */
  static String line() {
    return "fleetctl version " + read();
  }

  static String read() {
    try (InputStream in = FleetctlVersion.class.getResourceAsStream("/fleet/fleetctl/version")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
