package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.output.OutputClosedException;
import fleet.fleetctl.unit.UnitProblemException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** One run of fleetctl: finds the command, reads its flags, runs it. */
public final class Fleetctl {

  private final CommandEnvironment session;
  private final Output output;

  public Fleetctl(CommandEnvironment session) {
    this.session = session;
    this.output = session.output();
  }

  /** Runs and returns the exit code. */
  public int run(List<String> arguments) {
    try {
      int code = dispatch(arguments);
      output.flush();
      return code;
    } catch (OutputClosedException e) {
      return ExitCode.OUTPUT_CLOSED;
    } catch (UncheckedIOException e) {
      return cannotWrite(e);
    }
  }

  private int cannotWrite(UncheckedIOException e) {
    try {
      output.lastWords("Error: cannot write the output: " + e.getMessage());
    } catch (UncheckedIOException neither) {
      return ExitCode.FAILED;
    }
    return ExitCode.FAILED;
  }

  private int dispatch(List<String> arguments) {
    if (arguments.isEmpty()) {
      output.text(Help.root());
      return ExitCode.OK;
    }
    if (arguments.getFirst().equals("--version") || arguments.getFirst().equals("-v")) {
      output.line(VersionCommand.line());
      return ExitCode.OK;
    }
    if (arguments.getFirst().equals(CompleteCommand.NAME)) {
      return new CompleteCommand(session).run(arguments.subList(1, arguments.size()));
    }
    int position = commandPosition(arguments);
    if (position < 0) {
      return withoutCommand(arguments);
    }
    try {
      String name = CommandNames.resolve(arguments.get(position));
      List<String> others = new ArrayList<>(arguments);
      others.remove(position);
      return run(name, others);
    } catch (CommandException e) {
      return failed("", e);
    }
  }

  private int withoutCommand(List<String> arguments) {
    for (String argument : arguments) {
      if (argument.equals("--help") || argument.equals("-h") || argument.equals("--h")) {
        output.text(Help.root());
        return ExitCode.OK;
      }
    }
    return failed("", CommandException.usage("Error: no command was given"));
  }

  /** The position of the first word that is no flag and no value of one; -1 if there is none. */
  static int commandPosition(List<String> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (!argument.startsWith("-")) {
        return i;
      }
      if (ValuedFlags.takesNextWord(argument)) {
        i++;
      }
    }
    return -1;
  }

  private int run(String name, List<String> arguments) {
    FleetCommand command = CommandNames.create(name);
    CommandLine line = CommandNames.commandLine(command);
    line.setDefaultValueProvider(new EnvironmentDefaults(session.environment()));
    try {
      MissingValues.check(line, arguments);
      line.parseArgs(arguments.toArray(new String[0]));
      if (command.globals.help) {
        output.text(Help.of(line.getCommandSpec()));
        return ExitCode.OK;
      }
      return command.run(session);
    } catch (ParameterException e) {
      return failed(name, CommandException.usage("Error: " + problem(e, arguments)));
    } catch (CommandException e) {
      return failed(name, e);
    } catch (FleetException | UnitProblemException e) {
      return failed(name, CommandException.failed("Error: " + e.getMessage()));
    }
  }

  private String problem(ParameterException e, List<String> arguments) {
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      String first = unmatched.getUnmatched().getFirst();
      return first.startsWith("-") ? "unknown flag: " + first : "unexpected argument: " + first;
    }
    String line = OptionFault.text(e);
    return e.getArgSpec() instanceof OptionSpec option && !isGiven(option, arguments)
        ? line + " (from the environment: FLEETCTL_...)"
        : line;
  }

  private static boolean isGiven(OptionSpec option, List<String> arguments) {
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      for (String known : option.names()) {
        if (known.equals(name)) {
          return true;
        }
      }
    }
    return false;
  }

  private int failed(String name, CommandException e) {
    output.problem(String.valueOf(e.getMessage()));
    if (e.exitCode() == ExitCode.USAGE) {
      output.problem("Run 'fleetctl " + (name.isEmpty() ? "" : name + " ") + "--help' for usage.");
    }
    return e.exitCode();
  }
}
