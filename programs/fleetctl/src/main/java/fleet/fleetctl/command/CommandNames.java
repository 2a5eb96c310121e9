package fleet.fleetctl.command;

import fleet.core.text.EditDistance;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The commands by name. Only the one that is called is created. */
final class CommandNames {

  static final List<String> ALL =
      List.of(
          "access",
          "audit",
          "ca",
          "cat",
          "config",
          "context",
          "cordon",
          "destroy",
          "drain",
          "events",
          "help",
          "journal",
          "list-machines",
          "list-unit-files",
          "list-units",
          "load",
          "login",
          "machines",
          "operations",
          "plan",
          "rebalance",
          "restart",
          "resume",
          "rollout",
          "start",
          "status",
          "stop",
          "submit",
          "token",
          "top",
          "uncordon",
          "unload",
          "version",
          "why");

  private CommandNames() {}

  /**
   * The command that a word means: its name, or a beginning that only one command has.
   *
   * @throws CommandException if there is none, or more than one
   */
  static String resolve(String word) throws CommandException {
    List<String> candidates = new ArrayList<>();
    for (String name : ALL) {
      if (name.equals(word)) {
        return name;
      }
      if (name.startsWith(word)) {
        candidates.add(name);
      }
    }
    if (candidates.size() == 1) {
      return candidates.getFirst();
    }
    List<String> meant = candidates.isEmpty() ? similar(word) : candidates;
    StringBuilder message = new StringBuilder();
    message.append("Error: unknown command \"").append(word).append("\" for \"fleetctl\"");
    if (!meant.isEmpty()) {
      message.append("\n\nDid you mean this?");
      for (String name : meant) {
        message.append("\n\t").append(name);
      }
      message.append('\n');
    }
    throw CommandException.usage(message.toString());
  }

  private static List<String> similar(String word) {
    List<String> similar = new ArrayList<>();
    for (String name : ALL) {
      if (EditDistance.between(word, name) <= 2) {
        similar.add(name);
      }
    }
    return similar;
  }

  static FleetCommand create(String name) {
    return switch (name) {
      case "access" -> new AccessCommand();
      case "audit" -> new AuditCommand();
      case "ca" -> new CaCommand();
      case "cat" -> new CatCommand();
      case "config" -> new ConfigCommand();
      case "context" -> new ContextCommand();
      case "cordon" -> new CordonCommand();
      case "destroy" -> new DestroyCommand();
      case "drain" -> new DrainCommand();
      case "events" -> new EventsCommand();
      case "help" -> new HelpCommand();
      case "journal" -> new JournalCommand();
      case "list-machines" -> new ListMachinesCommand();
      case "list-unit-files" -> new ListUnitFilesCommand();
      case "list-units" -> new ListUnitsCommand();
      case "load" -> new LoadCommand();
      case "login" -> new LoginCommand();
      case "machines" -> new RemoveMachinesCommand();
      case "operations" -> new OperationsCommand();
      case "plan" -> new PlanCommand();
      case "rebalance" -> new RebalanceCommand();
      case "restart" -> new RestartCommand();
      case "resume" -> new ResumeCommand();
      case "rollout" -> new RolloutCommand();
      case "start" -> new StartCommand();
      case "status" -> new StatusCommand();
      case "stop" -> new StopCommand();
      case "submit" -> new SubmitCommand();
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
    CommandLine line = new CommandLine(command);
    line.setExpandAtFiles(false);
    line.setInterpolateVariables(false);
    line.setOverwrittenOptionsAllowed(true);
    return line;
  }
}
