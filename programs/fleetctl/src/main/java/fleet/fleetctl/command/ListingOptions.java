package fleet.fleetctl.command;

import fleet.fleetctl.output.Output;
import fleet.fleetctl.table.Format;
import fleet.fleetctl.table.InvalidExpressionException;
import fleet.fleetctl.table.InvalidFieldsException;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
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
  <T> ListingView view(Listing<T> listing) throws CommandException {
    try {
      return ListingView.of(listing, Format.of(format), fields, sort, !noLegend);
    } catch (InvalidFieldsException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()));
    } catch (InvalidExpressionException e) {
      throw invalid(e);
    }
  }

  <T> void print(Output output, ListingView view, Listing<T> listing, List<T> things)
      throws CommandException {
    try {
      output.text(view.text(listing, things));
    } catch (InvalidExpressionException e) {
      throw invalid(e);
    }
  }

  static CommandException invalid(InvalidExpressionException e) {
    return CommandException.usage("Error: " + e.getMessage());
  }
}
