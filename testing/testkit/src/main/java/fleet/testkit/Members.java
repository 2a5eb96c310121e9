package fleet.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The machines of a cluster, and what runs on them: what is told of units comes from systemd on
 * each machine.
 */
public record Members(List<FleetMachine> machines) {

  private static final Pattern UNIT =
      Pattern.compile("\"name\":\"([^\"]+\\.(?:service|socket|timer|target|path|slice|mount))\"");
  private static final Pattern MACHINE = Pattern.compile("\"primaryIP\"");

  public Members {
    machines = List.copyOf(machines);
  }

  /** All machines but some. */
  public List<FleetMachine> others(FleetMachine... without) {
    return machines.stream().filter(one -> !Arrays.asList(without).contains(one)).toList();
  }

  /** Waits until each machine that has power lists all machines. */
  public void awaitListed() {
    int count = machines.size();
    for (FleetMachine one : machines) {
      if (one.machine().isUp()) {
        one.machine().await("%d machines are listed".formatted(count), () -> listed(one) == count);
      }
    }
  }

  /** How many machines the API of one of them lists; none while it does not answer. */
  public static long listed(FleetMachine by) {
    return by.answer("/machines").lines().flatMap(line -> MACHINE.matcher(line).results()).count();
  }

  private FleetMachine anyUp() {
    return machines.stream()
        .filter(one -> one.machine().isUp())
        .findFirst()
        .orElseThrow(() -> new AssertionError("all machines are off"));
  }

  /** Where units are active whose names match, by the systemd of each machine that has power. */
  public Map<String, List<FleetMachine>> running(String glob) {
    var running = new TreeMap<String, List<FleetMachine>>();
    for (FleetMachine one : machines) {
      if (one.machine().isUp()) {
        for (String unit : one.active(glob)) {
          running.computeIfAbsent(unit, key -> new ArrayList<>()).add(one);
        }
      }
    }
    return running;
  }

  /** How many units that match are active on each machine. */
  public List<Integer> spread(String glob) {
    return machines.stream().map(one -> one.active(glob).size()).toList();
  }

  /** Where a unit is active now. */
  public List<FleetMachine> whereRunning(String unit) {
    return running(unit).getOrDefault(unit, List.of());
  }

  /** Waits until so many units that match run, each on one of these machines and no other. */
  public void awaitRunning(String glob, int count, List<FleetMachine> where) {
    await(
        "%d units %s run on %s".formatted(count, glob, where),
        () -> {
          var running = running(glob);
          return running.size() == count
              && running.values().stream()
                  .allMatch(on -> on.size() == 1 && where.contains(on.getFirst()));
        });
  }

  /** The main process of each active service that matches, with where it runs. */
  public Map<String, String> processes(String glob) {
    var processes = new TreeMap<String, String>();
    for (FleetMachine one : machines) {
      if (one.machine().isUp()) {
        one.machine()
            .mainProcesses(glob)
            .forEach((unit, pid) ->
                processes.merge(unit, one + " " + pid, (first, second) -> first + "," + second));
      }
    }
    return processes;
  }

  /** When a unit ran where, since the machines exist. */
  public UnitRuns runs(String unit) {
    return runs(List.of(unit)).getFirst();
  }

  /** The same of several units, in any order. */
  public List<UnitRuns> runs(Collection<String> units) {
    return UnitRuns.of(units, machines.stream().map(FleetMachine::machine).toList());
  }

  /** Waits until a condition holds that nothing announces. */
  public void await(String what, BooleanSupplier condition) {
    anyUp().machine().await(what, condition);
  }

  /** Gives every machine its power, network and fleetd, and waits until each lists all. */
  public void heal() {
    for (FleetMachine one : machines) {
      if (one.machine().isUp()) {
        one.machine().join();
      } else {
        one.machine().boot();
      }
      one.machine().succeed("systemctl", "start", "fleet.socket", "fleet.service");
    }
    awaitListed();
  }

  /** Destroys all units. */
  public void destroyAll() {
    FleetMachine one = anyUp();
    List<String> units = units(one);
    while (!units.isEmpty()) {
      one.succeed(
          Stream.concat(Stream.of("destroy", "--yes"), units.stream()).toArray(String[]::new));
      units = units(one);
    }
  }

  /** The units on the first page of the API's list, once it answers. */
  private static List<String> units(FleetMachine by) {
    return UNIT.matcher(by.awaitAnswer("/units")).results().map(found -> found.group(1)).toList();
  }
}
