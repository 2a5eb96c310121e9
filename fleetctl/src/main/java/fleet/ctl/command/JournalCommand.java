package fleet.ctl.command;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import fleet.ctl.http.HttpStream;
import fleet.entities.UnitEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the journal of a unit, wherever it is. */
@Command(
    name = "journal",
    header = "Print the journal of a unit, wherever it is",
    customSynopsis = "[--lines=N] [-f|--follow] [--output=MODE] [--machine=ID] UNIT",
    description = {"Of a global unit on several machines, choose one by --machine."},
    exitCodeList = {
      "0:the journal was printed",
      "1:the unit does not exist or is not loaded, or its machine could not be asked"
    },
    footer = {"fleetctl journal --lines=100 web.service", "fleetctl journal -f web.service"})
final class JournalCommand extends UnitsCommand {

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      defaultValue = "10",
      description = "How many of the newest lines to print.")
  int lines;

  @Option(
      names = {"-f", "--follow", "--f"},
      description = "Go on with what is written from now on, until Ctrl-C.")
  boolean follow;

  @Option(
      names = "--output",
      paramLabel = "MODE",
      defaultValue = "short",
      description = "The format, as journalctl --output takes it.")
  String output = "";

  @Option(
      names = "--machine",
      paramLabel = "ID",
      defaultValue = "",
      description = "Ask this machine; the beginning of its id is enough.")
  String machine = "";

  @Option(names = "--ssh-port", hidden = true)
  int withoutEffect;

  @Option(names = "--sudo", hidden = true)
  boolean withoutEffectEither;

  @Override
  public int run(Session session) throws CommandException, FleetException {
    if (units.size() != 1) {
      throw CommandException.usage("One unit file must be provided.");
    }
    String name = names(session).getFirst();
    FleetClient client = client(session);
    Optional<UnitEntity> unit = client.unit(name);
    if (unit.isEmpty()) {
      throw CommandException.failed("Unit " + name + " does not exist.");
    }
    List<String> machines = MachineChoice.of(client, unit.get(), machine);
    if (machines.isEmpty()) {
      throw CommandException.failed(StatusCommand.notLoaded(name, unit.get()));
    }
    String on = MachineChoice.only(name, machines);
    Optional<HttpStream> answer = client.journal(name, lines, follow, output, on);
    if (answer.isEmpty()) {
      return LocalProgram.run(session, name, on, local(name));
    }
    return print(session, name, answer.get());
  }

  private static int print(Session session, String name, HttpStream answer)
      throws CommandException {
    try (HttpStream stream = answer) {
      session.output().copy(stream.body());
      return StatusCommand.exitStatus(stream);
    } catch (IOException e) {
      throw CommandException.failed("the journal of " + name + " broke off: " + e.getMessage());
    }
  }

  private List<String> local(String name) {
    List<String> command = new ArrayList<>(List.of("journalctl", "--unit", name, "--no-pager"));
    command.addAll(List.of("-n", Integer.toString(lines), "--output", output));
    if (follow) {
      command.add("-f");
    }
    return command;
  }
}
