package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.http.ClientTlsFiles;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists, chooses, makes and forgets contexts. */
@Command(
    name = "context",
    header = "Manage contexts: clusters by name",
    customSynopsis =
        "[list] [-o FORMAT] [--fields=LIST] [--sort=LIST] [--no-legend] | use NAME | set NAME --endpoint=URL [--ca-file=FILE --cert-file=FILE"
            + " --key-file=FILE] | remove NAME...",
    description = {
      "A context says where a cluster is, and which certificate to use for it. Contexts are files",
      "in ~/.config/fleet/contexts. --context NAME selects one for a command.",
      "use: makes a context the default, if neither --context nor --endpoint is given. use none",
      "goes back to the socket of this machine. set: creates or replaces a context from the",
      "flags. Fields: name, in-use, endpoint."
    },
    exitCodeList = {
      "0:the contexts were listed, or the context was chosen, made or removed",
      "1:there is no such context, or its file cannot be read or written"
    },
    footer = {
      "fleetctl context set prod --endpoint=https://10.0.0.1:49153 --ca-file=ca.crt \\",
      "    --cert-file=me.crt --key-file=me.key",
      "fleetctl --context prod list-units",
      "fleetctl context use prod"
    })
final class ContextCommand extends CommandGroup {

  @Mixin ListingOptions look = new ListingOptions();

  /** A context in the list. */
  private record Listed(String name, boolean inUse, String endpoint) {}

  @Override
  int run() throws CommandException, FleetException {
    Contexts contexts = new Contexts(session().environment());
    String action = action("list");
    look.check(action);
    return switch (action) {
      case "list" -> {
        var _ = arguments(0, 0, "context list");
        yield list(contexts);
      }
      case "use" -> {
        contexts.use(arguments(1, 1, "context use NAME").getFirst());
        yield ExitCode.OK;
      }
      case "set" -> {
        String name = arguments(1, 1, "context set NAME --endpoint=URL").getFirst();
        contexts.write(name, given());
        yield ExitCode.OK;
      }
      case "remove" ->
          remove(
              arguments(1, Integer.MAX_VALUE, "context remove NAME..."),
              contexts::remove,
              "",
              "There is no context %s.");
      default -> throw unknown("list, use, set or remove");
    };
  }

  private Contexts.Context given() throws CommandException {
    if (globals.endpoint.isEmpty()) {
      throw CommandException.usage("Error: --endpoint is missing: https://HOST:PORT or ssh://HOST");
    }
    Contexts.Context context =
        new Contexts.Context(
            globals.endpoint,
            new ClientTlsFiles(
                absolute(globals.caFile), absolute(globals.certFile), absolute(globals.keyFile)));
    // A context that cannot be used is refused here, and not when it is needed.
    globals.client(session(), Optional.of(context));
    return context;
  }

  /** The directory will be another one when the context is used. */
  private String absolute(String file) {
    return file.isEmpty() ? "" : session().directory().resolve(Path.of(file)).toAbsolutePath() + "";
  }

  private int list(Contexts contexts) throws CommandException {
    Listing<Listed> listing =
        new Listing<Listed>()
            .with("name", Listed::name)
            .with("in-use", context -> context.inUse() ? "yes" : "")
            .with("endpoint", Listed::endpoint);
    ListingView view = look.view(session(), listing);
    String current = contexts.current().orElse("");
    List<Listed> all = new ArrayList<>();
    for (String name : contexts.names()) {
      all.add(new Listed(name, name.equals(current), contexts.read(name).endpoint()));
    }
    look.print(output(), view, listing, all);
    return ExitCode.OK;
  }
}
