package fleet.fleetctl.command;

import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitPutClient;
import fleet.fleetctl.fleet1.Fleet1Api;
import fleet.fleetctl.fleet1.Fleet1Cluster;
import fleet.fleetctl.fleet1.Fleet1Dump;
import fleet.fleetctl.fleet1.ImportPlan;
import fleet.fleetctl.fleet1.ImportPlan.Kind;
import fleet.fleetctl.fleet1.ImportPlan.States;
import fleet.fleetctl.fleet1.ImportPlan.Step;
import fleet.fleetctl.fleet1.InvalidDumpException;
import fleet.fleetctl.output.FileErrors;
import fleet.fleetctl.output.Output;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes the units of another cluster over. */
@Command(
    name = "import",
    header = "Import the units of a fleet 1.0 cluster, or of another one",
    customSynopsis = {"[OPTIONS] URL", "[OPTIONS] FILE"},
    description = {
      "Creates all units of another cluster here, with their desired states. URL is the endpoint of",
      "its API: http://HOST:PORT, unix:///PATH or ssh://[USER@]HOST. FILE is a dump of fleet 1.0's",
      "keys, which its etcd gives:",
      "",
      "    curl 'http://HOST:2379/v2/keys/_coreos.com/fleet?recursive=true' >FILE",
      "",
      "Shows first what would change, and asks on a terminal. The other cluster is only read.",
      "",
      "A unit must not run in two clusters at once: one that is still active in the other cluster",
      "comes as inactive. Stop it there, and run the import again: it is started here then. A unit",
      "that is here with another text is left alone, so that an import can be repeated at any time."
    },
    exitCodeList = {
      "0:all units of the other cluster are here",
      "1:some were refused, cannot be read, or are here with another text; or nobody confirmed"
    },
    footer = {
      "fleetctl import http://10.0.0.1:49153",
      "fleetctl import --dry-run keys.json",
      "fleetctl import --yes --inactive ssh://core@old1"
    })
final class ImportCommand extends FleetCommand {

  /** More than etcd's API v2 holds in practice; a dump is read whole. */
  private static final int MOST_BYTES = 256 << 20;

  @Parameters(paramLabel = "SOURCE", arity = "0..1", hidden = true)
  String source = "";

  @Option(names = "--dry-run", description = "Show what would change, and change nothing.")
  boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description = "Import without asking.")
  boolean yes;

  @Option(names = "--inactive", description = "Import the texts alone: start and load nothing.")
  boolean inactive;

  @Option(
      names = "--even-if-active",
      description = "Take the desired states of units over that are active in the other cluster.")
  boolean evenIfActive;

  @Override
  public int run(CommandEnvironment session) throws CommandException, FleetException {
    if (source.isEmpty()) {
      throw CommandException.usage("Error: expect fleetctl import URL, or fleetctl import FILE");
    }
    if (inactive && evenIfActive) {
      throw CommandException.usage("Error: --inactive and --even-if-active exclude each other");
    }
    Fleet1Cluster cluster = source(session);
    FleetClient client = client(session);
    Map<String, UnitEntity> here =
        client.units(cluster.units().stream().map(Fleet1Cluster.Fleet1Unit::name).toList());
    ImportPlan plan = ImportPlan.of(cluster, here, states());
    show(session.output(), plan);
    boolean done = dryRun || plan.toPut().isEmpty() || carryOut(session, client, plan);
    adviseOnWaiting(session.output(), plan);
    return done && plan.isWhole() ? ExitCode.OK : ExitCode.FAILED;
  }

  private States states() {
    if (inactive) {
      return States.NONE;
    }
    return evenIfActive ? States.ALL : States.UNLESS_ACTIVE;
  }

  private Fleet1Cluster source(CommandEnvironment session) throws CommandException {
    if (source.contains("://")) {
      try {
        return Fleet1Api.read(globals.clientAt(session, source));
      } catch (FleetException e) {
        throw CommandException.failed("Error: cannot read " + source + ": " + e.getMessage());
      }
    }
    Path file = session.directory().resolve(source);
    if (!Files.isRegularFile(file)) {
      throw CommandException.failed(
          "Error: there is no file %s; the endpoint of an API begins with http://, unix:// or ssh://"
              .formatted(source));
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] dump = in.readNBytes(MOST_BYTES);
      return Fleet1Dump.read(dump);
    } catch (InvalidDumpException e) {
      throw CommandException.failed(
          "Error: %s is no dump of fleet 1.0's keys: %s".formatted(source, e.getMessage()));
    } catch (AccessDeniedException e) {
      throw CommandException.failed("Error: not permitted to read " + source);
    } catch (IOException e) {
      throw CommandException.failed("Error: cannot read " + source + ": " + FileErrors.reason(e));
    }
  }

  private void show(Output output, ImportPlan plan) {
    int width = plan.steps().stream().mapToInt(step -> step.unit().length()).max().orElse(0);
    for (Step step : plan.steps()) {
      if (!step.remark().isEmpty()) {
        output.line(step.unit() + " ".repeat(width - step.unit().length() + 2) + step.remark());
      }
    }
    List<String> counts = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (plan.count(kind) > 0) {
        counts.add(plan.count(kind) + " " + kind.text());
      }
    }
    String all = units(plan.steps().size()) + " in " + source;
    output.line(counts.isEmpty() ? all : all + ": " + String.join(", ", counts));
    output.flush();
  }

  private static String units(int count) {
    return count == 1 ? "1 unit" : count + " units";
  }

  private boolean carryOut(CommandEnvironment session, FleetClient client, ImportPlan plan)
      throws CommandException {
    List<UnitEntity> changes = plan.toPut();
    if (!yes) {
      expectMeant(session, changes.size());
    }
    List<String> problems = new UnitPutClient(client).put(changes);
    int failed = 0;
    for (int i = 0; i < changes.size(); i++) {
      if (!problems.get(i).isEmpty()) {
        failed++;
        session
            .output()
            .problem("Error importing %s: %s".formatted(changes.get(i).name(), problems.get(i)));
      }
    }
    session.output().line("Imported " + units(changes.size() - failed) + ".");
    return failed == 0;
  }

  private static void expectMeant(CommandEnvironment session, int count) throws CommandException {
    InputStream keyboard =
        session
            .keyboard()
            .orElseThrow(() ->
                CommandException.failed(
                    "Error: this would change %s: add --yes if that is meant"
                        .formatted(units(count))));
    if (!Confirmation.isGiven(session, keyboard, "Import " + units(count) + "? [y/N] ", "y")) {
      throw CommandException.failed("Nothing was imported.");
    }
  }

  private void adviseOnWaiting(Output output, ImportPlan plan) {
    long waiting = plan.steps().stream().filter(Step::waits).count();
    if (waiting > 0) {
      output.problem(
          "%s in the other cluster: stop %s there, and import again"
              .formatted(
                  waiting == 1 ? "1 unit still runs" : waiting + " units still run",
                  waiting == 1 ? "it" : "them"));
    }
  }
}
