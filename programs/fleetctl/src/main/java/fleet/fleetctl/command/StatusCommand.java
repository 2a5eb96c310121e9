package fleet.fleetctl.command;

import fleet.entities.EntityJson;
import fleet.entities.MachineEntity;
import fleet.entities.OverviewEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.output.LocalTimes;
import fleet.fleetctl.output.TerminalSize;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what systemctl says of units, wherever they are; without units, the whole cluster. */
@Command(
    name = "status",
    header = "Show the cluster at a glance, or systemctl status of units",
    customSynopsis = "[-o FORMAT] | [--machine=MACHINE] UNIT...",
    description = {
      "Without units: who leads, how many machines and units are in which state, operations, the",
      "health of the store, and what is wrong. Wrong are units that failed, wait for a place, take",
      "more than 5 minutes to start or were restarted by systemd within 10 minutes; machines that",
      "are lost or awaited; operations that wait or are being reverted; a pause of rescheduling;",
      "members of etcd that are not healthy; versions more than one minor version apart.",
      "With units: on a terminal first a line with the machine, since when the unit is in its state,",
      "why it failed, and the last line that it wrote to the journal itself; then systemctl's text.",
      "Global units are shown for each of their machines."
    },
    exitCodeList = {
      "0:all units are active; without units: nothing is wrong",
      "1:a unit does not exist or is not loaded, or its machine could not be asked;\n"
          + "without units: something is wrong, or fleetd could not be asked",
      "3:a unit is not active; other codes are those of systemctl status"
    },
    footer = {"fleetctl status", "fleetctl status -o json", "fleetctl status web.service"})
final class StatusCommand extends UnitsCommand {

  @Mixin MachineOption machine = new MachineOption();

  @Mixin JsonOptions form = new JsonOptions();

  @Option(names = "--no-pager", description = "Without effect: there is no pager.")
  boolean noPager;

  @Option(
      names = "--ssh-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "The port of sshd on machines of fleet 1.0. 0: that of ssh's configuration.")
  int sshPort;

  @Override
  int run() throws CommandException, FleetException {
    if (units.isEmpty() && machine.isAbsent()) {
      return overview(onlooker());
    }
    if (form.isJson()) {
      throw CommandException.usage("Error: -o json is for the overview, without units");
    }
    FleetClient client = client();
    List<String> names = names();
    String only = machine.id(client);
    UnitHealth health =
        output().isTerminal()
            ? new UnitHealth(
                client,
                new MachineNames(client.machines().list()),
                Instant.now(),
                globals.requestTimeout)
            : null;
    return each(names, name -> show(client, name, only, health));
  }

  private int overview(FleetClient client) throws FleetException {
    OverviewEntity overview = client.overview();
    if (form.isJson()) {
      output().line(new EntityJson().text(overview));
    } else {
      List<MachineEntity> machines = client.machines().listAll();
      Map<String, String> versions = new HashMap<>();
      machines.stream()
          .filter(one -> one.since().isEmpty())
          .forEach(one -> versions.put(one.id(), one.version()));
      OverviewText text =
          new OverviewText(overview, new MachineNames(machines), versions, Instant.now());
      int width =
          output().isTerminal()
              ? TerminalSize.of(session().environment()).columns()
              : Integer.MAX_VALUE;
      output().text(text.of(width));
    }
    return OverviewText.isHealthy(overview) ? ExitCode.OK : ExitCode.FAILED;
  }

  private interface Shown {
    int show(String one) throws CommandException, FleetException;
  }

  /** Shows each, with an empty line between; the first exit code of a fault, if there is one. */
  private int each(List<String> all, Shown shown) throws CommandException, FleetException {
    int first = ExitCode.OK;
    for (String one : all) {
      if (!one.equals(all.getFirst())) {
        output().line("");
      }
      int code = shown.show(one);
      first = first == ExitCode.OK ? code : first;
    }
    return first;
  }

  /**
   * Shows a unit on all its machines.
   *
   * @param health for the line before systemctl's text; null for none
   */
  private int show(FleetClient client, String name, String only, @Nullable UnitHealth health) {
    try {
      Optional<UnitEntity> unit = client.unit(name);
      if (unit.isEmpty()) {
        throw CommandException.failed("Unit " + name + " does not exist.");
      }
      List<String> machines = MachineChoice.of(client, unit.get(), only);
      if (machines.isEmpty()) {
        String require = required(unit.get());
        throw CommandException.failed(
            notLoaded(name, unit.get()) + (require.isEmpty() ? "" : "\n" + require));
      }
      return each(machines, on -> show(client, unit.get(), on, health));
    } catch (CommandException | FleetException e) {
      output().problem(String.valueOf(e.getMessage()));
      return ExitCode.FAILED;
    }
  }

  static String notLoaded(String name, UnitEntity unit) {
    String why = unit.waiting();
    return "Unit " + name + " does not appear to be loaded" + (why.isEmpty() ? "." : ": " + why);
  }

  private int show(FleetClient client, UnitEntity unit, String on, @Nullable UnitHealth health)
      throws CommandException, FleetException {
    String name = unit.name();
    List<StateEntity> states =
        client.statesOf(name).stream().filter(state -> on.equals(state.machineID())).toList();
    if (health != null) {
      states.forEach(state -> output().line(health.of(state)));
    }
    Optional<HttpAnswer> answer = client.streams().status(name, output().isTerminal(), on);
    if (answer.isEmpty()) {
      return UnitProgram.run(
          session(),
          globals,
          client,
          on,
          sshPort,
          List.of("systemctl", "status", "--no-pager", "-l", "--", name));
    }
    try (HttpAnswer stream = answer.get()) {
      output().copyColoured(stream.stream());
      tellRequire(unit);
      tellReason(unit, on);
      tellProblem(states);
      return stream.exitStatus().orElse(ExitCode.OK);
    } catch (IOException e) {
      throw CommandException.failed("the status of " + name + " broke off: " + e.getMessage());
    }
  }

  /** Prints the extra requirements of the unit, which systemd does not know. */
  private void tellRequire(UnitEntity unit) {
    String require = required(unit);
    if (!require.isEmpty()) {
      output().line(require);
    }
  }

  /** A line; empty if the unit asks nothing beside its file. */
  private static String required(UnitEntity unit) {
    List<String> require = unit.require();
    return require.isEmpty() ? "" : "     fleet: also requires: " + String.join(", ", require);
  }

  /** Prints why the unit is on this machine, which systemd does not know. */
  private void tellReason(UnitEntity unit, String on) {
    String reason = unit.reason();
    if (!reason.isEmpty() && on.equals(unit.machineID())) {
      output().line("     fleet: placed here: " + LocalTimes.in(reason));
    }
  }

  /** Prints why fleet could not carry out the command, which systemd does not know. */
  private void tellProblem(List<StateEntity> states) {
    for (StateEntity state : states) {
      if (!state.problem().isEmpty()) {
        output().line("     fleet: " + state.problem());
      }
    }
  }
}
