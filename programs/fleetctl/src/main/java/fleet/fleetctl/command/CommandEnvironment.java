package fleet.fleetctl.command;

import fleet.fleetctl.output.Output;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The surroundings of one run of fleetctl.
 *
 * @param keyboard standard input, if a person can be asked: if it and standard error are terminals
 * @param input standard input, whatever it is
 * @param environment its variables
 * @param directory the one that file names are relative to
 * @param machineId the file with this machine's id
 */
public record CommandEnvironment(
    Output output,
    Optional<InputStream> keyboard,
    InputStream input,
    Map<String, String> environment,
    Path directory,
    Path machineId) {}
