package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.output.TerminalSize;
import fleet.fleetctl.table.Format;
import fleet.fleetctl.table.InvalidExpressionException;
import fleet.fleetctl.table.InvalidFieldsException;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import fleet.fleetctl.table.Selector;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a listing looks; the same for all of them. */
final class ListingOptions {

  @Option(
      names = {"-l", "--full", "--l"},
      description = "Do not shorten ids and hashes.")
  boolean full;

  @Option(names = "--no-legend", description = "Print no header.")
  boolean noLegend;

  @Option(
      names = "--fields",
      paramLabel = "LIST",
      description = "The columns, separated by commas.")
  @Nullable String fields;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, wide, name, json, yaml or jsonpath=EXPRESSION.")
  String format = "table";

  @Option(
      names = "--sort",
      paramLabel = "LIST",
      defaultValue = "",
      description = "Fields to sort by, separated by commas; -FIELD for the reverse order.")
  String sort = "";

  /** Checks the options. */
  <T> ListingView view(CommandEnvironment session, Listing<T> listing) throws CommandException {
    try {
      Format form = Format.of(format);
      return ListingView.of(listing, form, fields, sort, !noLegend, width(session, form));
    } catch (InvalidFieldsException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()));
    } catch (InvalidExpressionException e) {
      throw invalid(e);
    }
  }

  /** Scripts choose columns or no header, and get what fleet 1.0 gave them. */
  private int width(CommandEnvironment session, Format form) {
    if (!session.output().isTerminal() || noLegend || fields != null) {
      return 0;
    }
    return full || form.kind() == Format.Kind.WIDE
        ? Integer.MAX_VALUE
        : TerminalSize.of(session.environment()).columns();
  }

  /** A machine for a table: people see its hostname, scripts the label of fleet 1.0. */
  String shown(ListingView view, MachineNames machines, String id) {
    return view.isForPeople() && !full ? machines.host(id) : machines.of(id, full);
  }

  <T> void print(Output output, ListingView view, Listing<T> listing, List<T> things)
      throws CommandException {
    try {
      output.text(view.text(listing, things));
    } catch (InvalidExpressionException e) {
      throw invalid(e);
    }
  }

  /** Refuses what is for lists in a call of another action. */
  void check(String action) throws CommandException {
    boolean given = fields != null || !sort.isEmpty() || !format.equals("table");
    if (given && !action.equals("list")) {
      throw CommandException.usage(
          "Error: -o, --fields and --sort are for list, not for " + action);
    }
  }

  /** The machines that a selector chooses; empty text chooses all. */
  static List<MachineEntity> selected(String selector, List<MachineEntity> machines)
      throws CommandException {
    if (selector.isEmpty()) {
      return machines;
    }
    try {
      Selector selects = new Selector(selector);
      return machines.stream().filter(one -> selects.matches(one.metadata())).toList();
    } catch (InvalidExpressionException e) {
      throw invalid(e);
    }
  }

  static CommandException invalid(InvalidExpressionException e) {
    return CommandException.usage("Error: " + e.getMessage());
  }
}
