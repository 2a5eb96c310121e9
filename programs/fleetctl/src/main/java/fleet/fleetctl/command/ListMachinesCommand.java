package fleet.fleetctl.command;

import fleet.entities.AbsentMachineEntity;
import fleet.entities.MachineEntity;
import fleet.entities.ReschedulingEntity;
import fleet.entities.ResourcesEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.command.WatchedListing.Found;
import fleet.fleetctl.output.Ages;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.table.Comparators;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import fleet.fleetctl.table.NaturalOrder;
import fleet.fleetctl.top.Sizes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Lists the machines of the cluster. A terminal gets a table with hostnames, and also the absent
 * machines; pipes get what fleet 1.0 printed.
 */
@Command(
    name = "list-machines",
    header = "List the machines of the cluster",
    customSynopsis =
        "[-a|--all] [--state=LIST] [--selector=LIST] [-o FORMAT] [--fields=LIST] [--sort=LIST] [-l|--full] [--no-legend]"
            + " [-w|--watch] [MACHINE...]",
    description = {
      "MACHINE is a hostname, an address, an id, the beginning of an id, or a pattern in quotes for",
      "hostnames and ids: 'node*'; machines that are named are listed even if they are absent.",
      "On a terminal, machines are shown by hostname, absent ones included: STATE is ready,",
      "cordoned, draining, drained, maintenance; awaited, lost, left, or away (absent and",
      "cordoned). Lost machines, and those that have left, stay listed until \"fleetctl machines",
      "remove\", or for a day (config: machines.lost.keep). On a pipe, with --no-legend or --fields,",
      "the output is that of fleet 1.0: machine, ip, metadata; --all adds absent machines and the",
      "column state.",
      "Fields: machine, ip, metadata; hostname, state, since (lost or left), role, units, version,",
      "address, arch; cores, memory, disk and tasks, each as reserved by units, reservable, and",
      "present; cordoned, or drained. Lines below the table (with --no-legend and other formats, on",
      "standard error) name cordoned machines and absent machines that have units, and say whether",
      "rescheduling is paused. For actual usage see fleetctl top.",
      "--watch: a terminal is repainted; elsewhere the header and all machines come first, then each",
      "machine again that changed, with -o json an object a line."
    },
    exitCodeList = {
      "0:the machines were listed",
      "1:fleetd could not be asked; or there is no machine of a name that was given",
      "130:ended by Ctrl-C"
    },
    footer = {
      "fleetctl list-machines",
      "fleetctl list-machines -o wide",
      "fleetctl list-machines --all -o json",
      "fleetctl list-machines --watch 'node*'",
      "fleetctl list-machines --no-legend --fields=machine --full",
      "fleetctl list-machines --fields=hostname,cores,memory,disk --sort=-units"
    })
final class ListMachinesCommand extends FleetCommand {

  /** Events after which the list may be another one. */
  private static final List<String> EVENTS =
      List.of(
          "command",
          "leader",
          "machine",
          "machine-gone",
          "operation",
          "rescheduling-paused",
          "rescheduling-resumed");

  @Parameters(paramLabel = "MACHINE", arity = "0..*", hidden = true)
  List<String> machines = List.of();

  @Option(
      names = {"-a", "--all"},
      description = "Include machines that are lost, awaited or have left; implied on a terminal.")
  boolean all;

  @Mixin ListingOptions look = new ListingOptions();
  @Mixin MachineFilterOptions filter = new MachineFilterOptions();

  @Override
  public int run(CommandEnvironment session) throws CommandException {
    Output output = session.output();
    boolean forPeople =
        output.isTerminal() && !look.noLegend && look.fields == null && look.format.equals("table");
    ListingView view = look.view(session, listing(List.of(), forPeople));
    filter.check(view, machines);
    try {
      FleetClient client = onlooker(session);
      if (filter.watch) {
        return WatchedListing.run(
            session, client, view, List.of(), EVENTS, () -> find(client, forPeople).list());
      }
      Shown shown = find(client, forPeople);
      look.print(output, view, shown.list().listing().get(), shown.list().things());
      UnaryOperator<String> name =
          names(forPeople && !look.full, shown.present(), shown.rescheduling());
      note(MachineNotes.cordoned(shown.present(), name), output);
      note(MachineNotes.of(shown.rescheduling(), name), output);
      return ExitCode.OK;
    } catch (FleetException e) {
      throw CommandException.failed(
          "Error retrieving list of active machines from fleet API (" + e.getMessage() + ")");
    }
  }

  /** The machines that are to be shown, and those that there are. */
  private record Shown(
      Found<MachineEntity> list, List<MachineEntity> present, ReschedulingEntity rescheduling) {}

  private Shown find(FleetClient client, boolean forPeople)
      throws CommandException, FleetException {
    List<MachineEntity> present = client.machines().list();
    ReschedulingEntity rescheduling = client.operations().rescheduling();
    List<MachineEntity> known = new ArrayList<>(present);
    if (forPeople) {
      known.sort(Comparators.by(MachineEntity::hostname, new NaturalOrder()));
    }
    if (forPeople || all || filter.choosesStates() || !machines.isEmpty()) {
      known.addAll(absent(rescheduling));
    }
    List<MachineEntity> chosen = filter.of(known, machines, ListMachinesCommand::state);
    return new Shown(new Found<>(chosen, () -> listing(known, forPeople)), present, rescheduling);
  }

  /** The machines as the table names them. */
  private UnaryOperator<String> names(
      boolean byHost, List<MachineEntity> there, ReschedulingEntity rescheduling) {
    List<MachineEntity> all = new ArrayList<>(there);
    all.addAll(rescheduling.departed());
    MachineNames names = new MachineNames(all);
    return id -> byHost && names.isKnown(id) ? names.host(id) : MachineNames.shown(id, look.full);
  }

  /** Programs read the list without these lines. */
  private void note(List<String> notes, Output output) {
    boolean isTable = look.format.equals("table") || look.format.equals("wide");
    notes.forEach(isTable && !look.noLegend ? output::line : output::problem);
  }

  /** Those that are lost or have left, and others that have units or are cordoned. */
  private static List<MachineEntity> absent(ReschedulingEntity rescheduling) {
    Map<String, MachineEntity> departed = new LinkedHashMap<>();
    rescheduling.departed().forEach(machine -> departed.put(machine.id(), machine));
    List<MachineEntity> all = new ArrayList<>();
    for (AbsentMachineEntity machine : rescheduling.absent()) {
      MachineEntity known = departed.remove(machine.id());
      all.add(absent(machine, known == null ? machine.machine() : known));
    }
    all.addAll(departed.values());
    return all;
  }

  private static MachineEntity absent(AbsentMachineEntity machine, MachineEntity known) {
    String state =
        switch (machine.standing()) {
          case "held" -> "lost";
          case "cordoned" -> "away";
          default -> machine.standing();
        };
    return known.absent(state, machine.units());
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
        .with("state", machine -> forPeople ? stateAndAge(machine) : state(machine))
        .with("role", machine -> leads(machine) ? "leader" : machine.role())
        .with(
            "units",
            ListMachinesCommand::units,
            Comparators.by(ListMachinesCommand::count, Integer::compare))
        .with("version", MachineEntity::version)
        .with("address", MachineEntity::primaryIP)
        .with("since", MachineEntity::since)
        .with("arch", MachineEntity::architecture)
        .with("cordoned", ListMachinesCommand::cordoned)
        .with("cores", machine -> shares(machine, ResourcesEntity::cpuMillis, Sizes::processors))
        .with("memory", machine -> shares(machine, ResourcesEntity::memory, Sizes::bytes))
        .with("disk", machine -> shares(machine, ResourcesEntity::disk, Sizes::bytes))
        .with("tasks", machine -> shares(machine, ResourcesEntity::tasks, String::valueOf))
        .with("metadata", ListMachinesCommand::metadata)
        .usual(
            forPeople
                ? "machine,state,role,units,version,address,metadata"
                : "machine,ip,metadata" + (all ? ",state" : ""))
        .wide("machine,hostname,ip,state,role,units,version,arch,cores,memory,disk,tasks,metadata")
        .named(MachineEntity::id)
        .entity(machine -> machine);
  }

  private static boolean leads(MachineEntity machine) {
    return Boolean.TRUE.equals(machine.leader());
  }

  private static String stateAndAge(MachineEntity machine) {
    String state = state(machine);
    return machine.since().isEmpty()
        ? state
        : state + " " + Ages.since(machine.since(), Instant.now());
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
