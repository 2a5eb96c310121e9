package fleet.fleetctl.command;

import fleet.entities.EntityJson;
import fleet.entities.WhyEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Explains the placement of units. */
@Command(
    name = "why",
    header = "Explain the state and the placement of units",
    customSynopsis = "[-o FORMAT] [-l|--full] UNIT...",
    description = {
      "First the unit's state on each of its machines: since when, why it failed, and the last",
      "line that it wrote to the journal itself. Then its placement.",
      "For a waiting unit: what prevents it on each machine, rule by rule; the machine that comes",
      "closest to fitting; and the smallest change that would place it there. For a placed unit:",
      "why it was given its machine, and how that compares with the best others now; it stays",
      "even if another would be chosen today. For an inactive unit: where it would go. Each rule",
      "names five machines; --full and --json name all."
    },
    exitCodeList = {
      "0:the placement was explained",
      "1:a unit does not exist, or fleetd could not be asked"
    },
    footer = {"fleetctl why web.service", "fleetctl why --json 'web@1.service'"})
final class WhyCommand extends UnitsCommand {

  @Mixin JsonOptions form = new JsonOptions();

  @Option(
      names = {"-l", "--full"},
      description = "Do not shorten the ids of machines, and list all machines.")
  boolean full;

  @Override
  int run() throws CommandException, FleetException {
    FleetClient client = onlooker();
    int code = ExitCode.OK;
    boolean blank = false;
    for (String name : names()) {
      Optional<WhyEntity> why = client.why(name);
      if (why.isEmpty()) {
        output().problem("Unit " + name + " does not exist.");
        code = ExitCode.FAILED;
      } else if (form.isJson()) {
        output().line(new EntityJson().text(why.get()));
      } else {
        if (blank) {
          output().line("");
        }
        blank = true;
        MachineNames machines = new MachineNames(client.machines().list());
        new UnitHealth(client, machines, Instant.now(), globals.requestTimeout)
            .of(name)
            .forEach(output()::line);
        output().text(new WhyText(machines, full).of(why.get()));
      }
    }
    return code;
  }
}
