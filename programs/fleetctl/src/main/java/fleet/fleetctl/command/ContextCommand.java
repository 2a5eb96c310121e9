package fleet.fleetctl.command;

import fleet.fleetctl.http.ClientTlsFiles;
import fleet.fleetctl.table.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists, chooses, makes and forgets contexts. */
@Command(
    name = "context",
    header = "Manage contexts: clusters by name",
    customSynopsis =
        "[list] | use NAME | set NAME --endpoint=URL [--ca-file=FILE --cert-file=FILE"
            + " --key-file=FILE] | remove NAME...",
    description = {
      "A context says where a cluster is, and which certificate to use for it. Contexts are files",
      "in ~/.config/fleet/contexts. --context NAME selects one for a command.",
      "use: makes a context the default, if neither --context nor --endpoint is given. use none",
      "goes back to the socket of this machine. set: creates or replaces a context from the",
      "flags."
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

  @Option(names = "--no-legend", description = "list: print no header.")
  boolean noLegend;

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    Contexts contexts = new Contexts(session.environment());
    return switch (action("list")) {
      case "list" -> {
        var _ = arguments(0, 0, "context list");
        session.output().text(table(contexts));
        yield ExitCode.OK;
      }
      case "use" -> {
        contexts.use(arguments(1, 1, "context use NAME").getFirst());
        yield ExitCode.OK;
      }
      case "set" -> {
        String name = arguments(1, 1, "context set NAME --endpoint=URL").getFirst();
        contexts.write(name, given(session));
        yield ExitCode.OK;
      }
      case "remove" ->
          remove(session, contexts, arguments(1, Integer.MAX_VALUE, "context remove NAME..."));
      default -> throw unknown("list, use, set or remove");
    };
  }

  private Contexts.Context given(CommandEnvironment session) throws CommandException {
    if (globals.endpoint.isEmpty()) {
      throw CommandException.usage("Error: --endpoint is missing: https://HOST:PORT or ssh://HOST");
    }
    Contexts.Context context =
        new Contexts.Context(
            globals.endpoint,
            new ClientTlsFiles(
                absolute(session, globals.caFile),
                absolute(session, globals.certFile),
                absolute(session, globals.keyFile)));
    // A context that cannot be used is refused here, and not when it is needed.
    globals.client(session, Optional.of(context));
    return context;
  }

  /** The directory will be another one when the context is used. */
  private static String absolute(CommandEnvironment session, String file) {
    return file.isEmpty() ? "" : session.directory().resolve(Path.of(file)).toAbsolutePath() + "";
  }

  private static int remove(CommandEnvironment session, Contexts contexts, List<String> names)
      throws CommandException {
    int code = ExitCode.OK;
    for (String name : names) {
      if (!contexts.remove(name)) {
        session.output().problem("There is no context " + name + ".");
        code = ExitCode.FAILED;
      }
    }
    return code;
  }

  private String table(Contexts contexts) throws CommandException {
    String current = contexts.current().orElse("");
    Table table = new Table();
    if (!noLegend) {
      table.row(List.of("NAME", "IN USE", "ENDPOINT"));
    }
    for (String name : contexts.names()) {
      table.row(List.of(name, name.equals(current) ? "yes" : "-", contexts.read(name).endpoint()));
    }
    return table.render();
  }
}
