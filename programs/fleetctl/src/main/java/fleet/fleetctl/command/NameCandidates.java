package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.completion.WordKind;
import fleet.fleetctl.output.Ages;
import fleet.fleetctl.unit.UnitArgument;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** The names of things of the cluster, for completion. */
final class NameCandidates {

  private static final String SSH = "ssh://";
  private static final Pattern HOSTNAME = Pattern.compile("[A-Za-z0-9._-]+");

  /**
   * @param description for shells that show one; may be empty
   */
  record Candidate(String name, String description) {}

  private final CommandEnvironment session;
  private final GlobalOptions globals;
  private final List<String> names;

  /**
   * Reads the flags before the cursor that say which cluster is meant.
   *
   * @param names the words before the cursor that are no flags or values of flags
   */
  NameCandidates(CommandEnvironment session, List<String> before, List<String> names) {
    this.session = session;
    this.names = names;
    VersionCommand any = new VersionCommand();
    CommandLine line = CommandNames.commandLine(any);
    line.setUnmatchedArgumentsAllowed(true);
    line.setDefaultValueProvider(new EnvironmentDefaults(session.environment()));
    line.parseArgs(before.toArray(String[]::new));
    this.globals = any.globals;
  }

  /** The names of some kinds that begin so. */
  List<Candidate> of(Set<WordKind> kinds, String begun) throws CommandException, FleetException {
    List<Candidate> candidates = new ArrayList<>();
    for (WordKind kind : kinds) {
      candidates.addAll(of(kind, begun));
    }
    return candidates;
  }

  private List<Candidate> of(WordKind kind, String begun) throws CommandException, FleetException {
    if (kind == WordKind.CONTEXT) {
      return contexts();
    }
    if (isRemote()) {
      return List.of();
    }
    return switch (kind) {
      case COMMAND, CONTEXT, DIRECTORY, FILE -> List.of();
      case MACHINE -> machines(client().machines().list());
      case OPERATION ->
          client().operations().list().stream()
              .map(operation -> new Candidate(operation.id(), ""))
              .toList();
      case REVISION -> names.isEmpty() ? List.of() : revisions(names.getLast());
      case SETTING ->
          client().access().settings().stream()
              .map(setting -> new Candidate(setting.name(), setting.value()))
              .toList();
      case UNIT ->
          client().unitsBeginning(begun).stream()
              .map(unit -> new Candidate(unit.name(), unit.desiredState()))
              .toList();
    };
  }

  private FleetClient client() throws CommandException {
    return globals.client(session).evenIfStale();
  }

  private List<Candidate> revisions(String unit) throws CommandException, FleetException {
    Instant now = Instant.now();
    return client().history(UnitArgument.of(unit, session.directory()).name()).stream()
        .map(revision ->
            new Candidate(
                Long.toString(revision.revision()),
                "%s ago by %s".formatted(Ages.since(revision.created(), now), revision.by())))
        .toList();
  }

  /** Nobody waits for a connection by ssh, or types a passphrase, to see candidates. */
  private boolean isRemote() throws CommandException {
    return !globals.tunnel.isEmpty() || globals.endpoints(session).contains(SSH);
  }

  /** All commands, for which nobody has to be asked. */
  static List<Candidate> commands() {
    return Help.manual().commands().stream()
        .map(page -> new Candidate(page.name(), page.summary()))
        .toList();
  }

  private List<Candidate> contexts() throws CommandException {
    List<Candidate> all = new ArrayList<>();
    for (String name : new Contexts(session.environment()).names()) {
      all.add(new Candidate(name, ""));
    }
    all.add(new Candidate(Contexts.NONE, "this machine"));
    return all;
  }

  /**
   * Hostnames, and the ids of machines whose hostname says nothing. A machine says itself what its
   * hostname is, and bash would carry out whatever stands there.
   */
  private static List<Candidate> machines(List<MachineEntity> machines) {
    MachineNames names = new MachineNames(machines);
    return machines.stream()
        .map(machine -> {
          String host = names.host(machine.id());
          boolean says = host.equals(machine.hostname()) && HOSTNAME.matcher(host).matches();
          return new Candidate(says ? host : machine.id(), machine.state());
        })
        .toList();
  }
}
