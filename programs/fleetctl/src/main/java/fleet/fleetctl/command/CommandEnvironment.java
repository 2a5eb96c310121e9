package fleet.fleetctl.command;

import fleet.fleetctl.output.Output;
import java.nio.file.Path;
import java.util.Map;

/**
 * The surroundings of one run of fleetctl.
 *
 * @param environment its variables
 * @param directory the one that file names are relative to
 * @param machineId the file with this machine's id
 */
public record CommandEnvironment(
    Output output, Map<String, String> environment, Path directory, Path machineId) {}
