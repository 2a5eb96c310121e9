package fleet.fleetctl.command;

import fleet.entities.AbsentMachineEntity;
import fleet.entities.MachineEntity;
import fleet.entities.ReschedulingEntity;
import fleet.entities.ResourcesEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import fleet.fleetctl.table.NaturalOrder;
import fleet.fleetctl.table.Order;
import fleet.fleetctl.top.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Lists the machines of the cluster. A terminal gets a table with hostnames, and also the absent
 * machines; pipes get what fleet 1.0 printed.
 */
@Command(
    name = "list-machines",
    header = "List the machines of the cluster",
    customSynopsis = "[-o FORMAT] [--fields=LIST] [--sort=LIST] [-l|--full] [--no-legend]",
    description = {
      "On a terminal, machines are shown by hostname, absent ones included: STATE is ready,",
      "cordoned, draining, drained; awaited, lost, or away (absent and cordoned). On a pipe, with",
      "--no-legend or --fields, the output is that of fleet 1.0: machine, ip, metadata.",
      "Fields: machine, ip, metadata; hostname, state, role, units, version, address, arch; cores,",
      "memory, disk and tasks, each as reserved by units, reservable, and present; cordoned, or",
      "drained. Lines below the table (with --no-legend and other formats, on standard error) name",
      "cordoned machines and absent machines that have units, and say whether rescheduling is",
      "paused. For actual usage see fleetctl top."
    },
    exitCodeList = {"0:the machines were listed", "1:fleetd could not be asked"},
    footer = {
      "fleetctl list-machines",
      "fleetctl list-machines -o wide",
      "fleetctl list-machines --no-legend --fields=machine --full",
      "fleetctl list-machines --fields=hostname,cores,memory,disk --sort=-units"
    })
final class ListMachinesCommand extends FleetCommand {

  @Mixin ListingOptions look = new ListingOptions();

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    Output output = session.output();
    boolean forPeople =
        output.isTerminal() && !look.noLegend && look.fields == null && look.format.equals("table");
    ListingView view = look.view(session, listing(List.of(), forPeople));
    try {
      FleetClient client = onlooker(session);
      List<MachineEntity> machines = client.machines().list();
      ReschedulingEntity rescheduling = client.operations().rescheduling();
      List<MachineEntity> shown = new ArrayList<>(machines);
      if (forPeople) {
        shown.sort(Order.by(MachineEntity::hostname, new NaturalOrder()));
        rescheduling.absent().forEach(machine -> shown.add(absent(machine)));
      }
      look.print(output, view, listing(shown, forPeople), shown);
      note(MachineNotes.cordoned(machines, look.full), output);
      note(MachineNotes.of(rescheduling, look.full), output);
      return ExitCode.OK;
    } catch (FleetException e) {
      throw CommandException.failed(
          "Error retrieving list of active machines from fleet API (" + e.getMessage() + ")");
    }
  }

  /** Programs read the list without these lines. */
  private void note(List<String> notes, Output output) {
    boolean isTable = look.format.equals("table") || look.format.equals("wide");
    notes.forEach(isTable && !look.noLegend ? output::line : output::problem);
  }

  private static MachineEntity absent(AbsentMachineEntity machine) {
    String state =
        switch (machine.standing()) {
          case "held" -> "lost";
          case "cordoned" -> "away";
          default -> machine.standing();
        };
    return new MachineEntity(
        machine.id(),
        Map.of(),
        "",
        null,
        null,
        null,
        null,
        null,
        "",
        "",
        "",
        "",
        null,
        state,
        machine.units());
  }

  private Listing<MachineEntity> listing(List<MachineEntity> machines, boolean forPeople) {
    MachineNames names = new MachineNames(machines);
    return new Listing<MachineEntity>()
        .with(
            "machine",
            machine ->
                forPeople && !look.full
                    ? names.host(machine.id())
                    : MachineNames.shown(machine.id(), look.full))
        .with("ip", MachineEntity::primaryIP)
        .with("hostname", MachineEntity::hostname)
        .with("state", ListMachinesCommand::state)
        .with("role", machine -> leads(machine) ? "leader" : machine.role())
        .with(
            "units",
            ListMachinesCommand::units,
            Order.by(ListMachinesCommand::count, Integer::compare))
        .with("version", MachineEntity::version)
        .with("address", MachineEntity::primaryIP)
        .with("arch", MachineEntity::architecture)
        .with("cordoned", ListMachinesCommand::cordoned)
        .with("cores", machine -> shares(machine, ResourcesEntity::cpuMillis, Sizes::processors))
        .with("memory", machine -> shares(machine, ResourcesEntity::memory, Sizes::bytes))
        .with("disk", machine -> shares(machine, ResourcesEntity::disk, Sizes::bytes))
        .with("tasks", machine -> shares(machine, ResourcesEntity::tasks, String::valueOf))
        .with("metadata", ListMachinesCommand::metadata)
        .usual(
            forPeople ? "machine,state,role,units,version,address,metadata" : "machine,ip,metadata")
        .wide("machine,hostname,ip,state,role,units,version,arch,cores,memory,disk,tasks,metadata")
        .named(MachineEntity::id)
        .entity(machine -> machine);
  }

  private static boolean leads(MachineEntity machine) {
    return Boolean.TRUE.equals(machine.leader());
  }

  /** An older fleetd tells no states. */
  private static String state(MachineEntity machine) {
    if (!machine.state().isEmpty()) {
      return machine.state();
    }
    String cordoned = cordoned(machine);
    return cordoned.equals("drained") ? "draining" : cordoned.isEmpty() ? "ready" : cordoned;
  }

  private static String units(MachineEntity machine) {
    Integer units = machine.units();
    return units == null ? "" : units.toString();
  }

  private static int count(MachineEntity machine) {
    Integer units = machine.units();
    return units == null ? -1 : units;
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
