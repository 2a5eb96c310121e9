package fleet.fleetctl.reference;

import java.util.Comparator;
import java.util.List;

/**
 * All of fleetctl.
 *
 * @param topics the commands, by what people want to do
 * @param globals the flags that every command takes
 * @param paragraphs what holds for all commands
 */
public record Manual(
    String version, List<Topic> topics, List<Flag> globals, List<String> paragraphs) {

  static final String SUMMARY = "systemd for your cluster";
  static final String CALL = "fleetctl [global flags] COMMAND [flags] [UNIT...]";

  /** Commands for one purpose, those that are used most first. */
  public record Topic(String title, List<CommandPage> commands) {}

  /** All commands, sorted by name. */
  public List<CommandPage> commands() {
    return topics.stream()
        .flatMap(topic -> topic.commands().stream())
        .sorted(Comparator.comparing(CommandPage::name))
        .toList();
  }
}
