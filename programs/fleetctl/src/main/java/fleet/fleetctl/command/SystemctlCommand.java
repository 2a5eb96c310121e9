package fleet.fleetctl.command;

import fleet.core.question.KillSignal;
import fleet.core.question.UnitVerb;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.client.Parallel;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.output.Output;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** Has systemd do something with units now, on the machines where they are. */
abstract class SystemctlCommand extends UnitsCommand {

  @Mixin MachineOption machine = new MachineOption();

  private final UnitVerb verb;

  SystemctlCommand(UnitVerb verb) {
    this.verb = verb;
  }

  /** The signal that is sent, if one is. */
  Optional<KillSignal> signal() throws CommandException {
    return Optional.empty();
  }

  /** The names of the units. */
  List<String> named(CommandEnvironment session, FleetClient client)
      throws CommandException, FleetException {
    return names(session);
  }

  private record Place(String unit, String machine) {}

  /**
   * The result of an order.
   *
   * @param words of systemctl
   */
  private record Outcome(Place place, int code, String words) {}

  @Override
  public int run(CommandEnvironment session) throws CommandException, FleetException {
    FleetClient client = client(session);
    Optional<KillSignal> signal = signal();
    List<String> names = named(session, client);
    String only = machine.id(client);
    List<Place> places = new ArrayList<>();
    int first = ExitCode.OK;
    Map<String, UnitEntity> units = client.units(names);
    for (String name : names) {
      try {
        MachineChoice.of(client, name, Optional.ofNullable(units.get(name)), only)
            .forEach(on -> places.add(new Place(name, on)));
      } catch (CommandException e) {
        session.output().problem(String.valueOf(e.getMessage()));
        first = ExitCode.FAILED;
      }
    }
    List<Outcome> outcomes = Parallel.map(places, place -> carryOut(client, place, signal));
    if (!outcomes.isEmpty()) {
      MachineNames machines = new MachineNames(client.machines().list());
      for (Outcome outcome : outcomes) {
        tell(session.output(), outcome, machines.host(outcome.place().machine()), signal);
        first = first == ExitCode.OK ? outcome.code() : first;
      }
    }
    return first;
  }

  private Outcome carryOut(FleetClient client, Place place, Optional<KillSignal> signal) {
    try (HttpAnswer answer =
        client.streams().systemctl(place.unit(), verb.text(), place.machine(), signal)) {
      String words = new String(answer.stream().readAllBytes(), StandardCharsets.UTF_8);
      int code =
          StatusCommand.exitStatus(answer)
              .orElseThrow(() -> new IOException("the answer came without an exit status"));
      return new Outcome(place, code, words.strip());
    } catch (FleetException e) {
      return new Outcome(place, ExitCode.FAILED, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new Outcome(
          place,
          ExitCode.FAILED,
          e.getMessage()
              + "; whether it was done is not known, see: fleetctl status "
              + place.unit());
    }
  }

  private void tell(Output output, Outcome outcome, String host, Optional<KillSignal> signal) {
    String unit = outcome.place().unit();
    if (outcome.code() == ExitCode.OK) {
      output.line(
          signal.isPresent()
              ? "%s sent to %s on %s".formatted(signal.get(), unit, host)
              : "%s %s on %s".formatted(unit, verb.done(), host));
    }
    if (outcome.code() != ExitCode.OK || !outcome.words().isEmpty()) {
      String words = outcome.words().isEmpty() ? "exit code " + outcome.code() : outcome.words();
      output.problem("%s on %s: %s".formatted(unit, host, words));
    }
  }
}
