package fleet.fleetctl.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;

/** Prints the version of fleetctl. */
@Command(
    name = "version",
    header = "Print the version of fleetctl",
    customSynopsis = "",
    description = {"Does not connect to fleetd."},
    exitCodeList = {"0:always"},
    footer = {"fleetctl version"})
final class VersionCommand extends FleetCommand {
  @Override
  int run() {
    output().line(line());
    return ExitCode.OK;
  }

  static String line() {
    return "fleetctl version " + read();
  }

  /** The version, which the build writes beside the classes. */
  static String read() {
    try (InputStream in = VersionCommand.class.getResourceAsStream("/fleet/fleetctl/version")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
