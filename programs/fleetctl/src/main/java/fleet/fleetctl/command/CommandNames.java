package fleet.fleetctl.command;

import fleet.core.text.EditDistance;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The commands by name. Only the one that is called is created. */
final class CommandNames {

  /** By what people want to do; within that, those that are used most come first. */
  static final SequencedMap<String, List<String>> BY_TOPIC = byTopic();

  static final List<String> ALL =
      BY_TOPIC.values().stream().flatMap(List::stream).sorted().toList();

  /**
   * Words of other tools' users, and the command that each means. Never shortened, so that no alias
   * takes a beginning away from a command.
   */
  static final Map<String, String> ALIASES =
      new TreeMap<>(
          Map.of(
              "describe", "why",
              "explain", "why",
              "logs", "journal",
              "ls", "list-units",
              "nodes", "list-machines",
              "ps", "list-units",
              "rm", "destroy"));

  /** The commands of fleet 1.0. Scripts shorten them to what was enough then. */
  static final Set<String> FORMER =
      Set.copyOf(
          words(
              "cat destroy fd-forward help journal list-machines list-unit-files list-units load restart ssh"
                  + " start status stop submit unload verify version"));

  /**
   * Commands that end or move units: not proposed for a word that may have meant a harmless one.
   */
  private static final Set<String> HARMFUL =
      Set.copyOf(words("apply destroy drain freeze kill rebalance restart rm rollout stop unload"));

  /** Commands of other tools without one meaning here, and those that come next to each. */
  private static final Map<String, List<String>> RELATED =
      Map.of(
          "get", List.of("list-units", "list-machines"),
          "inspect", List.of("status", "why"),
          "show", List.of("cat", "status"));

  private static final int SIMILAR = 2;

  /** Too many words are two letters away from one of fewer letters. */
  private static final int LONG_WORD = 5;

  private CommandNames() {}

  private static SequencedMap<String, List<String>> byTopic() {
    SequencedMap<String, List<String>> topics = new LinkedHashMap<>();
    topics.put("Run units", words("start stop restart reload kill freeze thaw reset-failed"));
    topics.put("Place and remove units", words("submit load unload destroy"));
    topics.put("Deploy", words("apply plan rollout history diff edit export import"));
    topics.put(
        "See what runs, and why",
        words(
            "status list-units list-unit-files cat why journal events top dashboard is-active"
                + " is-failed"));
    topics.put(
        "Machines",
        words(
            "list-machines machines cordon uncordon drain maintenance rebalance operations resume"
                + " exec ssh fd-forward"));
    topics.put("Cluster and access", words("token config backup access login context ca audit"));
    topics.put("fleetctl", words("help completion version"));
    return Collections.unmodifiableSequencedMap(topics);
  }

  private static List<String> words(String text) {
    return List.of(text.split(" "));
  }

  /**
   * The command that a word means: its name, an alias, a beginning that only one command of fleet
   * 1.0 has, or one that only one command has.
   *
   * @throws CommandException if there is none, or more than one
   */
  static String resolve(String word) throws CommandException {
    if (ALL.contains(word)) {
      return word;
    }
    String meant = ALIASES.get(word);
    if (meant != null) {
      return meant;
    }
    List<String> candidates = beginning(word, ALL);
    List<String> former = beginning(word, FORMER);
    if (former.size() == 1 && candidates.containsAll(former)) {
      return former.getFirst();
    }
    if (candidates.size() == 1) {
      return candidates.getFirst();
    }
    throw unknown(word, candidates.isEmpty() ? similar(word) : candidates);
  }

  /** The other names of a command. */
  static List<String> aliases(String name) {
    return ALIASES.keySet().stream().filter(alias -> name.equals(ALIASES.get(alias))).toList();
  }

  private static List<String> beginning(String word, Collection<String> names) {
    return names.stream().filter(name -> name.startsWith(word)).toList();
  }

  private static CommandException unknown(String word, List<String> meant) {
    StringBuilder message = new StringBuilder();
    message.append("Error: unknown command \"").append(word).append("\" for \"fleetctl\"");
    if (word.equals("enable") || word.equals("disable")) {
      message.append(": units that were started come back after a reboot, until stop or unload");
    } else if (word.equals("verify")) {
      message.append(": units are not signed any more, and were not in fleet 1.0; remove the call");
    } else if (!meant.isEmpty()) {
      message.append("\n\nDid you mean this?");
      for (String name : meant) {
        message.append("\n\t").append(name);
      }
      message.append('\n');
    }
    return CommandException.usage(message.toString());
  }

  /** The commands that a word of another tool, or a misspelt one, may have meant. */
  private static List<String> similar(String word) {
    List<String> related = RELATED.get(word);
    return related == null ? misspelt(word) : related;
  }

  private static List<String> misspelt(String word) {
    Map<String, Integer> distances = new TreeMap<>();
    for (String name : ALL) {
      distances.put(name, EditDistance.between(word, name));
    }
    ALIASES.forEach((alias, _) -> distances.put(alias, EditDistance.between(word, alias)));
    distances.values().removeIf(distance -> distance > SIMILAR);
    boolean maybeHarmless = !HARMFUL.containsAll(distances.keySet());
    distances
        .entrySet()
        .removeIf(
            near -> HARMFUL.contains(near.getKey()) && (maybeHarmless || near.getValue() > 1));
    if (word.length() < LONG_WORD) {
      distances.values().removeIf(distance -> distance == SIMILAR);
    }
    return List.copyOf(distances.keySet());
  }

  static FleetCommand create(String name) {
    return switch (name) {
      case "access" -> new AccessCommand();
      case "apply" -> new ApplyCommand();
      case "audit" -> new AuditCommand();
      case "backup" -> new BackupCommand();
      case "ca" -> new CaCommand();
      case "cat" -> new CatCommand();
      case "completion" -> new CompletionCommand();
      case "config" -> new ConfigCommand();
      case "context" -> new ContextCommand();
      case "cordon" -> new CordonCommand();
      case "dashboard" -> new DashboardCommand();
      case "destroy" -> new DestroyCommand();
      case "diff" -> new DiffCommand();
      case "drain" -> new DrainCommand();
      case "edit" -> new EditCommand();
      case "events" -> new EventsCommand();
      case "exec" -> new ExecCommand();
      case "export" -> new ExportCommand();
      case "fd-forward" -> new FdForwardCommand();
      case "freeze" -> new FreezeCommand();
      case "help" -> new HelpCommand();
      case "history" -> new HistoryCommand();
      case "import" -> new ImportCommand();
      case "is-active" -> new IsActiveCommand();
      case "is-failed" -> new IsFailedCommand();
      case "journal" -> new JournalCommand();
      case "kill" -> new KillCommand();
      case "list-machines" -> new ListMachinesCommand();
      case "list-unit-files" -> new ListUnitFilesCommand();
      case "list-units" -> new ListUnitsCommand();
      case "load" -> new LoadCommand();
      case "login" -> new LoginCommand();
      case "machines" -> new RemoveMachinesCommand();
      case "maintenance" -> new MaintenanceCommand();
      case "operations" -> new OperationsCommand();
      case "plan" -> new PlanCommand();
      case "rebalance" -> new RebalanceCommand();
      case "reload" -> new ReloadCommand();
      case "reset-failed" -> new ResetFailedCommand();
      case "restart" -> new RestartCommand();
      case "resume" -> new ResumeCommand();
      case "rollout" -> new RolloutCommand();
      case "ssh" -> new SshCommand();
      case "start" -> new StartCommand();
      case "status" -> new StatusCommand();
      case "stop" -> new StopCommand();
      case "submit" -> new SubmitCommand();
      case "thaw" -> new ThawCommand();
      case "token" -> new TokenCommand();
      case "top" -> new TopCommand();
      case "uncordon" -> new UncordonCommand();
      case "unload" -> new UnloadCommand();
      case "version" -> new VersionCommand();
      case "why" -> new WhyCommand();
      default -> throw new IllegalArgumentException(name);
    };
  }

  static CommandSpec specOf(String name) {
    return commandLine(create(name)).getCommandSpec();
  }

  /** A parser for one command. */
  static CommandLine commandLine(FleetCommand command) {
    CommandLine line = new CommandLine(CommandSpecs.of(command));
    line.setExpandAtFiles(false);
    line.setInterpolateVariables(false);
    line.setOverwrittenOptionsAllowed(true);
    // A value may look like an option: --sort=-hostname. MissingValues finds those that are one.
    line.setAllowOptionsAsOptionParameters(true);
    return line;
  }
}
