package fleet.fleetctl.command;

import fleet.core.access.AccessRole;
import fleet.entities.AccessCheckEntity;
import fleet.entities.GrantEntity;
import fleet.entities.InvitationEntity;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.LocalTimes;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows, makes and revokes grants of people and machines. */
@Command(
    name = "access",
    header = "Manage grants: who may do what",
    customSynopsis =
        "[list] [-o FORMAT] [--fields=LIST] [--sort=LIST] [--no-legend] | grant SUBJECT --role=ROLE [--unit=PATTERN]... [--machines=KEY=VALUE]... | invite"
            + " NAME [--role=ROLE ...] [--ttl=TIME] | revoke SUBJECT... | check SUBJECT ACTION [UNIT]",
    description = {
      "SUBJECT is a person, by the name (CN) of the certificate: alice, or person:alice; a user",
      "or a group of users of the servers: user:bob, group:dev; or a machine that has joined:",
      "machine:ID. Root on such a machine may then command the cluster from there.",
      "viewer: sees units, states, machines, events, why, plan, status and journals, but not the",
      "text of units, which may hold secrets.",
      "operator: also reads, submits, starts, stops, restarts, destroys and rolls out units.",
      "admin: also machines, drain, rebalance, config, tokens, ca, access, audit and backup.",
      "On servers, root and the group fleet are admins; the groups fleet-operator and",
      "fleet-viewer have the roles that their names say. A joined machine sees itself. Nobody",
      "else may do anything.",
      "grant: replaces the grant that the subject had. Changes take effect at once.",
      "invite: makes a grant for a person and prints, once, the command with which that person",
      "logs in from a machine outside the cluster. Without --role the grant stays as it is.",
      "revoke: also ends invitations and logins for good.",
      "check: says whether a subject may do something, and by which grant. Actions: list, why,",
      "plan, status, journal; cat, submit, start, stop, restart, destroy, rollout; machines,",
      "drain, rebalance, config, tokens, authority, access, audit, backup.",
      "Fields: subject, role, units, machines, login, by."
    },
    exitCodeList = {
      "0:the grants were listed, made or revoked, the person was invited; check: the subject may",
      "1:fleetd could not be asked or refused; there is no such grant; check: the subject may not"
    },
    footer = {
      "fleetctl access list",
      "fleetctl access grant alice --role=operator --unit='web@*'",
      "fleetctl access invite alice --role=operator --ttl=30m",
      "fleetctl access grant machine:0af3c1d2e4b5968778695a4b3c2d1e0f --role=admin",
      "fleetctl access check alice start web@1.service",
      "fleetctl access revoke alice"
    })
final class AccessCommand extends CommandGroup {

  private static final int CHECK_WITHOUT_UNIT = 2;
  private static final int CHECK_WITH_UNIT = 3;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "grant, invite: viewer, operator or admin.")
  @Nullable String role;

  @Option(
      names = "--unit",
      paramLabel = "PATTERN",
      description = "grant, invite: only for units whose name matches; repeatable.")
  List<String> units = List.of();

  @Option(
      names = "--machines",
      paramLabel = "KEY=VALUE",
      description =
          "grant, invite: only for machines with this metadata; repeatable, all must match.")
  List<String> machines = List.of();

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "invite: how long the code is valid, such as 30m; default 1h, at most 7d.")
  @Nullable Duration ttl;

  @Mixin ListingOptions look = new ListingOptions();

  @Override
  int run() throws CommandException, FleetException {
    String action = action("list");
    look.check(action);
    boolean invites = action.equals("invite");
    boolean limits = role != null || !units.isEmpty() || !machines.isEmpty();
    if (!action.equals("grant") && !invites && limits) {
      throw CommandException.usage("Error: --role, --unit and --machines are for grant and invite");
    }
    if (role != null && AccessRole.ofText(role).isEmpty()) {
      throw CommandException.usage(
          "Error: --role is viewer, operator or admin, not \"" + role + "\"");
    }
    if (!invites && ttl != null) {
      throw CommandException.usage("Error: --ttl is for invite");
    }
    return switch (action) {
      case "list" -> {
        var _ = arguments(0, 0, "access list");
        yield list();
      }
      case "grant" -> grant(arguments(1, 1, "access grant SUBJECT --role=ROLE").getFirst());
      case "invite" -> invite(arguments(1, 1, "access invite NAME --role=ROLE").getFirst());
      case "revoke" ->
          remove(
              arguments(1, Integer.MAX_VALUE, "access revoke SUBJECT..."),
              client().access()::revoke,
              "Revoked the grant of %s",
              "%s has no grant.");
      case "check" ->
          check(
              arguments(CHECK_WITHOUT_UNIT, CHECK_WITH_UNIT, "access check SUBJECT ACTION [UNIT]"));
      default -> throw unknown("list, grant, invite, revoke or check");
    };
  }

  private int grant(String subject) throws CommandException, FleetException {
    if (role == null) {
      throw CommandException.usage("Error: --role is missing: viewer, operator or admin");
    }
    client().access().grant(subject, GrantEntity.wanted(role, units, metadata()));
    output().line("Granted " + role + " to " + subject);
    return ExitCode.OK;
  }

  /** The command alone goes to standard output, so that a script can take it from there. */
  private int invite(String person) throws CommandException, FleetException {
    if (role == null && !(units.isEmpty() && machines.isEmpty())) {
      throw CommandException.usage("Error: --role is missing: viewer, operator or admin");
    }
    Long seconds = ttl == null ? null : ttl.toSeconds();
    InvitationEntity made =
        client()
            .access()
            .invite(
                person,
                InvitationEntity.wanted(
                    GrantEntity.wanted(role == null ? "" : role, units, metadata()), seconds));
    Output output = output();
    List<String> servers = made.servers().isEmpty() ? List.of("SERVER") : made.servers();
    output.line("fleetctl login %s %s".formatted(String.join(",", servers), made.code()));
    output.flush();
    output.problem(
        "invitation %s of %s, valid until %s: run this once on the person's own machine; anybody who has it can"
                .formatted(made.id(), person, LocalTimes.of(made.expires()))
            + " log in as "
            + person);
    return ExitCode.OK;
  }

  private Map<String, String> metadata() throws CommandException {
    Map<String, String> metadata = new TreeMap<>();
    for (String pair : machines) {
      int equals = pair.indexOf('=');
      if (equals <= 0) {
        throw CommandException.usage(
            "Error: invalid --machines \"" + pair + "\": expect KEY=VALUE, such as region=eu");
      }
      metadata.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return metadata;
  }

  private int check(List<String> asked) throws CommandException, FleetException {
    String unit = asked.size() > CHECK_WITHOUT_UNIT ? asked.getLast() : "";
    AccessCheckEntity answer =
        client().access().check(AccessCheckEntity.question(asked.getFirst(), asked.get(1), unit));
    Output output = output();
    if (Boolean.TRUE.equals(answer.allowed())) {
      output.line("yes: " + answer.grant());
      return ExitCode.OK;
    }
    output.line("no: " + answer.because());
    return ExitCode.FAILED;
  }

  private int list() throws CommandException, FleetException {
    Listing<GrantEntity> listing =
        new Listing<GrantEntity>()
            .with("subject", GrantEntity::subject)
            .with("role", GrantEntity::role)
            .with("units", grant -> orAll(grant.units()))
            .with("machines", AccessCommand::machines)
            .with("login", AccessCommand::login)
            .with("by", GrantEntity::by)
            .entity(grant -> grant);
    ListingView view = look.view(session(), listing);
    look.print(output(), view, listing, client().access().grants());
    return ExitCode.OK;
  }

  private static String machines(GrantEntity grant) {
    List<String> metadata = new ArrayList<>();
    grant.metadata().forEach((key, value) -> metadata.add(key + "=" + value));
    return orAll(metadata);
  }

  private static String orAll(List<String> limits) {
    return limits.isEmpty() ? "all" : String.join(",", limits);
  }

  /** Whether a person uses that grant from outside the cluster, or can. */
  private static String login(GrantEntity grant) {
    List<String> words = new ArrayList<>();
    if (Boolean.TRUE.equals(grant.loggedIn())) {
      words.add("yes");
    }
    grant.invitations().forEach(one -> words.add("invited until " + LocalTimes.of(one.expires())));
    return String.join(", ", words);
  }
}
