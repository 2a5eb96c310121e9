package fleet.fleetctl.reference;

import java.util.List;

/**
 * All of fleetctl.
 *
 * @param commands sorted by name
 * @param globals the flags that every command takes
 * @param paragraphs what holds for all commands
 */
public record Manual(
    String version, List<CommandPage> commands, List<Flag> globals, List<String> paragraphs) {

  static final String SUMMARY = "systemd for your cluster";
  static final String CALL = "fleetctl [global flags] COMMAND [flags] [UNIT...]";
}
