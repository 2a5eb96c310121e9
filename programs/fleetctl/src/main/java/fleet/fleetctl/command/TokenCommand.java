package fleet.fleetctl.command;

import fleet.entities.TokenEntity;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.client.MachineSelector;
import fleet.fleetctl.output.Ages;
import fleet.fleetctl.output.LocalTimes;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.table.Comparators;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes, lists and revokes the tokens with which machines join the cluster. */
@Command(
    name = "token",
    header = "Create, list and revoke the tokens with which machines join",
    customSynopsis =
        "[create] [--role=ROLE] [--ttl=TIME] [--uses=N] [--machine=MACHINE] | list [-o FORMAT] [--fields=LIST]"
            + " [--sort=LIST] [-l|--full] [--no-legend] | revoke ID...",
    description = {
      "create (the default): prints a token, once. On a terminal these are the two lines for",
      "/etc/fleet/fleet.conf of the machine that is to join; elsewhere the token alone. Keep it",
      "secret: anybody who has it can add a machine to the cluster, but not in place of a known",
      "one. Any number of machines can use a token for agents until it expires; a token for a",
      "server, or with --machine, works for one.",
      "list: shows the tokens, and which machines joined with them. Expired ones are listed for a",
      "day. Fields: id, role, expires, used, by, machines.",
      "revoke: makes tokens invalid. Machines that have joined stay."
    },
    exitCodeList = {
      "0:the token was made, the tokens were listed or revoked",
      "1:fleetd could not be asked or refused; there is no such token"
    },
    footer = {
      "fleetctl token",
      "fleetctl token create --ttl=30m --uses=3",
      "fleetctl token create --machine=5a4f9a0c6e1b4d7f9a2c8b3e0d5f7a61",
      "fleetctl token list",
      "fleetctl token revoke 5a1f03c2"
    })
final class TokenCommand extends CommandGroup {

  private static final int NAMED_MACHINES = 3;

  private static final Duration USUAL_TTL = Duration.ofHours(24);

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description =
          "create, the role of machines that join with it: agent or server; default agent.")
  @Nullable String role;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "create: how long it is valid, such as 90s, 1h30m or 7d; default 24h, at most 366d.")
  @Nullable Duration ttl;

  @Option(
      names = "--uses",
      paramLabel = "N",
      description =
          "create: how many machines may join with it; 0 for any number, the default for"
              + " agents.")
  @Nullable Long uses;

  @Option(
      names = "--machine",
      paramLabel = "MACHINE",
      description =
          "create: only this machine may join with it, even if it was removed or installed again;"
              + " one that is new is named by its whole id.")
  @Nullable String machine;

  @Mixin ListingOptions look = new ListingOptions();

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    String action = action("create");
    if (!action.equals("list")) {
      look.refuseFor(action);
    }
    try {
      return switch (action) {
        case "create" -> {
          var _ = arguments(0, 0, "token create");
          yield create(session);
        }
        case "list" -> {
          var _ = arguments(0, 0, "token list");
          refuseOptionsOfCreate(action);
          yield list(session);
        }
        case "revoke" -> {
          refuseOptionsOfCreate(action);
          yield revoke(session, arguments(1, Integer.MAX_VALUE, "token revoke ID..."));
        }
        default -> throw unknown("create, list or revoke");
      };
    } catch (FleetException e) {
      throw CommandException.failed("Error: " + e.getMessage());
    }
  }

  private void refuseOptionsOfCreate(String action) throws CommandException {
    String given =
        role != null
            ? "--role"
            : ttl != null ? "--ttl" : uses != null ? "--uses" : machine != null ? "--machine" : "";
    if (!given.isEmpty()) {
      throw CommandException.usage("Error: %s is for create, not for %s".formatted(given, action));
    }
  }

  private int create(CommandEnvironment session) throws CommandException, FleetException {
    String wanted = role == null ? "agent" : role;
    if (!wanted.equals("agent") && !wanted.equals("server")) {
      throw CommandException.usage("Error: --role is agent or server, not \"" + wanted + "\"");
    }
    FleetClient client = client(session);
    String only = machine == null ? "" : MachineSelector.of(client).id(machine);
    long seconds = (ttl == null ? USUAL_TTL : ttl).toSeconds();
    print(session.output(), make(client, TokenEntity.wanted(wanted, seconds, only, uses)));
    return ExitCode.OK;
  }

  /** The token alone goes to a pipe, so that a script can take it from there. */
  private static void print(Output output, TokenEntity made) {
    String join = "join=" + (made.server().isEmpty() ? "SERVER" : made.server());
    if (output.isTerminal()) {
      output.line(join);
      output.line("token=" + made.token());
    } else {
      output.line(made.token());
    }
    output.flush();
    output.problem(
        "token %s: role %s, until %s. Put %s into"
                .formatted(
                    made.id(),
                    made.role(),
                    LocalTimes.of(made.expires()),
                    output.isTerminal() ? "these two lines" : join + " and token=TOKEN")
            + " /etc/fleet/fleet.conf of the machine that is to join, then run there: systemctl"
            + " restart fleet");
  }

  /** fleetd checks the longest lifetime. */
  private static TokenEntity make(FleetClient client, TokenEntity request)
      throws CommandException, FleetException {
    try {
      return client.machines().createToken(request);
    } catch (ApiException e) {
      throw CommandException.of(e);
    }
  }

  private int list(CommandEnvironment session) throws CommandException, FleetException {
    Instant now = Instant.now();
    Listing<TokenEntity> listing =
        new Listing<TokenEntity>()
            .with("id", TokenEntity::id)
            .with("role", TokenEntity::role)
            .with(
                "expires",
                token -> TokenExpiry.text(token.expires(), now),
                Comparators.by(TokenEntity::expires, Ages.order()))
            .with("used", TokenCommand::used)
            .with("by", TokenEntity::by)
            .with("machines", this::machines)
            .entity(token -> token);
    ListingView view = look.view(session, listing);
    look.print(session.output(), view, listing, client(session).machines().tokens());
    return ExitCode.OK;
  }

  private static String used(TokenEntity token) {
    int used = token.usedBy().size();
    return token.uses() == null ? Integer.toString(used) : used + " of " + token.uses();
  }

  private String machines(TokenEntity token) {
    List<String> joined = token.usedBy();
    if (joined.isEmpty()) {
      return token.machine().isEmpty() ? "-" : "only for " + shown(token.machine());
    }
    int most = look.full ? joined.size() : NAMED_MACHINES;
    String named = String.join(",", joined.stream().limit(most).map(this::shown).toList());
    int more = joined.size() - most;
    return more > 0 ? named + " and " + more + " more" : named;
  }

  private String shown(String machine) {
    return MachineNames.shown(machine, look.full);
  }

  private int revoke(CommandEnvironment session, List<String> ids)
      throws CommandException, FleetException {
    FleetClient client = client(session);
    int code = ExitCode.OK;
    for (String id : ids) {
      if (client.machines().revokeToken(id)) {
        session.output().line("Revoked token " + id);
      } else {
        session.output().problem("Token " + id + " does not exist.");
        code = ExitCode.FAILED;
      }
    }
    return code;
  }
}
