package fleet.fleetctl.command;

import fleet.entities.JournalEntry;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.journal.AuditText;
import fleet.fleetctl.journal.JournalPrinter;
import fleet.fleetctl.journal.JournalRequest;
import fleet.fleetctl.output.Output;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the audit log of all servers. */
@Command(
    name = "audit",
    header = "Print the audit log of all servers: who asked for what, and the outcome",
    customSynopsis =
        "[--since=TIME] [--subject=WHO] [--unit=UNIT] [-n|--lines=N] [-f|--follow] [-o|--output=MODE]",
    description = {
      "Each server logs what it decides: commands, refusals, who read the text of units, tokens,",
      "and machines that join. The logs of all servers are merged, in order of time. A server",
      "that does not answer is named on standard error. Needs the role admin."
    },
    exitCodeList = {
      "0:the logs were printed",
      "1:some server could not be asked, or fleetd refused",
      "130:ended by Ctrl-C"
    },
    footer = {
      "fleetctl audit --since=1h",
      "fleetctl audit --unit=web.service --subject=root",
      "fleetctl audit -f --output=json"
    })
final class AuditCommand extends FleetCommand {

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "",
      description = "Only entries since then: 10m, 1h30m, today, 14:30, \"2026-03-01 14:30:00\".")
  String since = "";

  @Option(
      names = "--subject",
      paramLabel = "WHO",
      defaultValue = "",
      description = "Only requests of one subject: root, \"user root on ID\", 10.0.0.7.")
  String subject = "";

  @Option(
      names = "--unit",
      paramLabel = "UNIT",
      defaultValue = "",
      description = "Only requests about one unit, machine, token or setting.")
  String unit = "";

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      defaultValue = "",
      description =
          "The newest N entries of each server, or all; default 100, or all with --since.")
  String lines = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Follow new entries until Ctrl-C.")
  boolean follow;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "MODE",
      defaultValue = "short",
      description = "short, or json: one object per line.")
  String output = "";

  @Override
  public int run(CommandEnvironment session) throws CommandException, FleetException {
    Function<JournalEntry, String> text = text();
    JournalCommand.expectLines(lines);
    JournalRequest request = new JournalRequest(List.of(), lines, from(), follow, true, "", only());
    FleetClient client = client(session);
    Output out = session.output();
    return JournalCommand.print(
        client,
        out,
        new JournalPrinter(client, client.streams()::audits, out, request, Optional.of(text)),
        "is too old to have an audit log");
  }

  private Map<String, String> only() {
    Map<String, String> only = new LinkedHashMap<>();
    if (!subject.isEmpty()) {
      only.put("subject", subject);
    }
    if (!unit.isEmpty()) {
      only.put("unit", unit);
    }
    return only;
  }

  private Optional<Instant> from() throws CommandException {
    return since.isEmpty() ? Optional.empty() : Optional.of(JournalCommand.since(since));
  }

  private Function<JournalEntry, String> text() throws CommandException {
    return switch (output) {
      case "short" -> new AuditText(ZoneId.systemDefault())::line;
      case "json" -> AuditText::json;
      default ->
          throw CommandException.usage(
              "Error: invalid --output=\"" + output + "\": expected short or json");
    };
  }
}
