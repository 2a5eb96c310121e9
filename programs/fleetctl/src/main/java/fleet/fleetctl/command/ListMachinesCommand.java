package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.entities.ResourcesEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.table.InvalidFieldsException;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.top.Sizes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the machines of the cluster. */
@Command(
    name = "list-machines",
    header = "List the machines of the cluster",
    customSynopsis = "[-l|--full] [--no-legend] [--fields=LIST]",
    description = {
      "Fields: machine, ip, metadata; hostname, arch, version; cores, memory, disk and tasks, each",
      "as reserved by units, reservable, and present; cordoned, or drained. Lines below the table",
      "(with --no-legend, on standard error) name cordoned machines and absent machines that have",
      "units, and say whether rescheduling is paused. For actual usage see fleetctl top."
    },
    exitCodeList = {"0:the machines were listed", "1:fleetd could not be asked"},
    footer = {
      "fleetctl list-machines",
      "fleetctl list-machines --no-legend --fields=machine --full",
      "fleetctl list-machines --fields=machine,cores,memory,disk"
    })
final class ListMachinesCommand extends FleetCommand {

  @Mixin ListOptions list = new ListOptions();

  @Option(
      names = "--fields",
      paramLabel = "LIST",
      defaultValue = "machine,ip,metadata",
      description = "The columns, separated by commas.")
  String fields = "";

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    Listing<MachineEntity> listing = listing();
    try {
      listing.names(fields);
      FleetClient client = onlooker(session);
      List<MachineEntity> machines = client.machines().list();
      session.output().text(listing.render(machines, fields, !list.noLegend));
      for (String note : MachineNotes.cordoned(machines, list.full)) {
        note(note, session.output());
      }
      noteAbsences(client, session.output());
      return ExitCode.OK;
    } catch (InvalidFieldsException e) {
      throw CommandException.usage(String.valueOf(e.getMessage()));
    } catch (FleetException e) {
      throw CommandException.failed(
          "Error retrieving list of active machines from fleet API (" + e.getMessage() + ")");
    }
  }

  /** Programs that read the list use --no-legend, and get these lines on standard error. */
  private void noteAbsences(FleetClient client, Output output) throws FleetException {
    for (String note : MachineNotes.of(client.operations().rescheduling(), list.full)) {
      note(note, output);
    }
  }

  private void note(String note, Output output) {
    if (list.noLegend) {
      output.problem(note);
    } else {
      output.line(note);
    }
  }

  private Listing<MachineEntity> listing() {
    return new Listing<MachineEntity>()
        .with("machine", machine -> MachineNames.shown(machine.id(), list.full))
        .with("ip", MachineEntity::primaryIP)
        .with("metadata", ListMachinesCommand::metadata)
        .with("hostname", MachineEntity::hostname)
        .with("arch", MachineEntity::architecture)
        .with("version", MachineEntity::version)
        .with("cordoned", ListMachinesCommand::cordoned)
        .with("cores", machine -> shares(machine, ResourcesEntity::cpuMillis, Sizes::processors))
        .with("memory", machine -> shares(machine, ResourcesEntity::memory, Sizes::bytes))
        .with("disk", machine -> shares(machine, ResourcesEntity::disk, Sizes::bytes))
        .with("tasks", machine -> shares(machine, ResourcesEntity::tasks, String::valueOf));
  }

  private static String cordoned(MachineEntity machine) {
    if (machine.drain() != null) {
      return "drained";
    }
    return Boolean.TRUE.equals(machine.cordoned()) ? "cordoned" : "";
  }

  /** Reserved, to be reserved, there; empty if it is not known how much there is. */
  private static String shares(
      MachineEntity machine,
      Function<ResourcesEntity, @Nullable Long> part,
      LongFunction<String> inWords) {
    long total = amount(machine.total(), part);
    return total == 0
        ? ""
        : inWords.apply(amount(machine.reserved(), part))
            + "/"
            + inWords.apply(amount(machine.capacity(), part))
            + "/"
            + inWords.apply(total);
  }

  private static long amount(
      @Nullable ResourcesEntity resources, Function<ResourcesEntity, @Nullable Long> part) {
    Long amount = resources == null ? null : part.apply(resources);
    return amount == null ? 0 : amount;
  }

  private static String metadata(MachineEntity machine) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> entry : new TreeMap<>(machine.metadata()).entrySet()) {
      text.append(text.isEmpty() ? "" : ",");
      text.append(entry.getKey()).append('=').append(entry.getValue());
    }
    return text.toString();
  }
}
