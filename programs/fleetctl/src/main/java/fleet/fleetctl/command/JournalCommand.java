package fleet.fleetctl.command;

import fleet.core.question.JournalFilter;
import fleet.core.requirements.Glob;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.event.SinceOption;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.journal.EntryFormat;
import fleet.fleetctl.journal.EntryText;
import fleet.fleetctl.journal.JournalPrinter;
import fleet.fleetctl.journal.JournalRequest;
import fleet.fleetctl.output.CleanEnd;
import fleet.fleetctl.output.Output;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the journals of units, wherever they are, as one. */
@Command(
    name = "journal",
    header = "Print the journals of units from all machines, merged",
    customSynopsis =
        "[-n|--lines=N] [--since=TIME] [--until=TIME] [-p|--priority=LEVEL] [-g|--grep=REGEX] [-b|--boot] [-f|--follow] [-o|--output=MODE] [--machine=MACHINE] UNIT...",
    description = {
      "UNIT is a name, or a pattern in quotes: 'web@*'. Entries come in order of time, with",
      "machine and unit if there may be several. With -f the journal continues across a restart",
      "of fleetd and the loss of a machine, and follows units to other machines; such events are",
      "reported on standard error. The journal of a single unit is printed as journalctl on its",
      "machine writes it. The machines select by --priority, --grep, --until and --boot."
    },
    exitCodeList = {
      "0:the journal was printed",
      "1:a unit does not exist or is on no machine, or some machine could not be asked",
      "130:ended by Ctrl-C"
    },
    footer = {
      "fleetctl journal --lines=100 web.service",
      "fleetctl journal -f 'web@*' db.service",
      "fleetctl journal --since=10m --output=json 'web@*'",
      "fleetctl journal -p err --since=yesterday 'web@*'",
      "fleetctl journal -g 'timed? ?out' -n 20 -u web.service"
    })
final class JournalCommand extends UnitsCommand {

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      defaultValue = "",
      description = {
        "The newest N lines of each machine, or all; default 10, or all with --since, --until, -g",
        "or -b."
      })
  String lines = "";

  @Option(
      names = {"-u", "--unit"},
      paramLabel = "UNIT",
      description = "The same as UNIT; may be repeated.")
  List<String> more = new ArrayList<>();

  @Option(
      names = {"-p", "--priority"},
      paramLabel = "LEVEL",
      defaultValue = "",
      description = {
        "Only entries of this level and more urgent ones: emerg, alert, crit, err, warning, notice,",
        "info or debug; also 3, or err..crit."
      })
  String priority = "";

  @Option(
      names = {"-g", "--grep"},
      paramLabel = "REGEX",
      defaultValue = "",
      description = "Only messages that match, as journalctl --grep does.")
  String grep = "";

  @Option(
      names = "--until",
      paramLabel = "TIME",
      defaultValue = "",
      description = "Only entries before then, in the forms of --since.")
  String until = "";

  @Option(
      names = {"-b", "--boot"},
      description = "Only entries since the machine has booted.")
  boolean boot;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "",
      description = {
        "Only entries since then: 10m, 1h30m, today, yesterday, 14:30, \"2026-03-01 14:30:00\"."
      })
  String since = "";

  @Option(
      names = {"-f", "--follow", "--f"},
      description = "Follow new entries until Ctrl-C.")
  boolean follow;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "MODE",
      defaultValue = "short",
      description = {
        "short, short-precise, short-iso, short-iso-precise, cat or json; for one unit without -f,",
        "any format of journalctl --output."
      })
  String output = "";

  @Mixin MachineOption machine = new MachineOption();

  /** The id of that machine. */
  private String only = "";

  @Option(
      names = "--ssh-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "The port of sshd on machines of fleet 1.0. 0: that of ssh's configuration.")
  int sshPort;

  @Option(names = "--sudo", description = "Run journalctl as root on machines of fleet 1.0.")
  boolean sudo;

  @Override
  public int run(CommandEnvironment session) throws CommandException, FleetException {
    units.addAll(more);
    if (units.isEmpty()) {
      throw CommandException.usage("One unit file must be provided.");
    }
    List<String> patterns = patterns().stream().map(Glob::pattern).toList();
    List<String> names = namesBesidePatterns(session);
    List<String> wanted = Stream.concat(patterns.stream(), names.stream()).toList();
    Optional<Instant> from = from();
    Map<String, String> filters = filters();
    expectLines(lines);
    FleetClient client = client(session);
    only = machine.id(client);
    boolean many = wanted.size() > 1 || names.isEmpty();
    if (!many
        && from.isEmpty()
        && filters.isEmpty()
        && (!follow || EntryFormat.of(output).isEmpty())
        && !lines.equals("all")) {
      Optional<Integer> code = one(session, client, wanted.getFirst());
      if (code.isPresent()) {
        return code.get();
      }
    }
    return merged(session, client, wanted, many, from, filters);
  }

  private Optional<Instant> from() throws CommandException {
    return since.isEmpty() ? Optional.empty() : Optional.of(since(since));
  }

  /** The parameters that select entries, by their names in the API. */
  private Map<String, String> filters() throws CommandException {
    if (follow && !until.isEmpty()) {
      throw CommandException.usage("Error: --until ends a journal that --follow is to continue");
    }
    expectFilter(priority, grep);
    Map<String, String> filters = new TreeMap<>();
    if (!priority.isEmpty()) {
      filters.put("priority", priority);
    }
    if (!grep.isEmpty()) {
      filters.put("grep", grep);
    }
    if (!until.isEmpty()) {
      filters.put("until", time("until", until).toString());
    }
    if (boot) {
      filters.put("boot", "1");
    }
    return filters;
  }

  private static void expectFilter(String priority, String grep) throws CommandException {
    if (priority.isEmpty() && grep.isEmpty()) {
      return;
    }
    try {
      JournalFilter _ = new JournalFilter(priority, grep, Optional.empty(), false);
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("Error: " + e.getMessage());
    }
  }

  /** The time that the option means. */
  static Instant since(String text) throws CommandException {
    return time("since", text);
  }

  private static Instant time(String option, String text) throws CommandException {
    return SinceOption.instant(text, ZonedDateTime.now(ZoneId.systemDefault()))
        .orElseThrow(() ->
            CommandException.usage(
                "Error: invalid --"
                    + option
                    + "=\""
                    + text
                    + "\": expected how long ago (10m, 1h30m) or a time (today, yesterday, 14:30,"
                    + " \"2026-03-01 14:30:00\")"));
  }

  static void expectLines(String lines) throws CommandException {
    if (!lines.isEmpty() && !lines.equals("all") && !lines.matches("\\d{1,9}")) {
      throw CommandException.usage(
          "Error: invalid --lines=\"" + lines + "\": expected a number, or all");
    }
  }

  /** Prints the output of journalctl on the unit's machine; empty if there are several to merge. */
  private Optional<Integer> one(CommandEnvironment session, FleetClient client, String name)
      throws CommandException, FleetException {
    List<String> machines = MachineChoice.of(client, name, client.unit(name), only);
    if (machines.size() > 1 && EntryFormat.of(output).isPresent()) {
      return Optional.empty();
    }
    String on = MachineChoice.only(name, machines);
    int count = lines.isEmpty() ? 10 : Integer.parseInt(lines);
    Optional<HttpAnswer> answer = client.streams().journal(name, count, follow, output, on);
    return Optional.of(
        answer.isEmpty()
            ? UnitProgram.run(session, globals, client, on, sshPort, command(name, count))
            : print(session, name, answer.get()));
  }

  private static int print(CommandEnvironment session, String name, HttpAnswer answer)
      throws CommandException {
    try (HttpAnswer stream = answer) {
      session.output().copy(stream.stream());
      return StatusCommand.exitStatus(stream).orElse(ExitCode.OK);
    } catch (IOException e) {
      throw CommandException.failed("the journal of " + name + " broke off: " + e.getMessage());
    }
  }

  private List<String> command(String name, int count) {
    List<String> command = new ArrayList<>(sudo ? List.of("sudo") : List.of());
    command.addAll(List.of("journalctl", "--unit", name, "--no-pager"));
    command.addAll(List.of("-n", Integer.toString(count), "--output", output));
    if (follow) {
      command.add("-f");
    }
    return command;
  }

  private int merged(
      CommandEnvironment session,
      FleetClient client,
      List<String> wanted,
      boolean many,
      Optional<Instant> from,
      Map<String, String> filters)
      throws CommandException, FleetException {
    EntryFormat format = format();
    JournalRequest request =
        new JournalRequest(wanted, lines, from, follow, format == EntryFormat.JSON, only, filters);
    return print(
        client,
        session.output(),
        new JournalPrinter(
            client,
            client.streams()::journals,
            session.output(),
            request,
            text(session, format, many).map(text -> text::of)),
        "is too old to select entries, or to tell the journals of several units");
  }

  /**
   * Prints entries to their end.
   *
   * @param lacking what a fleetd does that is not asked for these
   */
  static int print(FleetClient client, Output output, JournalPrinter reading, String lacking)
      throws CommandException, FleetException {
    try (CleanEnd _ = new CleanEnd(output)) {
      Optional<Boolean> complete = reading.run();
      if (complete.isEmpty()) {
        throw CommandException.failed(client.outdated(lacking));
      }
      return complete.get() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private EntryFormat format() throws CommandException {
    Optional<EntryFormat> format = EntryFormat.of(output);
    if (format.isEmpty()) {
      throw CommandException.usage(
          "Error: invalid --output=\""
              + output
              + "\": several units come as one of "
              + String.join(", ", EntryFormat.names()));
    }
    return format.get();
  }

  private static Optional<EntryText> text(
      CommandEnvironment session, EntryFormat format, boolean many) {
    return format == EntryFormat.JSON
        ? Optional.empty()
        : Optional.of(
            new EntryText(format, ZoneId.systemDefault(), many, session.output().isTerminal()));
  }
}
