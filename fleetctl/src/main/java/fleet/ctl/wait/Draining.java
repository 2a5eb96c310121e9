package fleet.ctl.wait;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import fleet.ctl.output.Output;
import fleet.entities.DrainEntity;
import fleet.entities.DrainedUnitEntity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows a machine that is drained until nothing more leaves it, and what has left it is active
 * elsewhere; tells each step. It outlives the daemon, as {@link Waiting} does.
 */
public final class Draining {

  private final FleetClient client;
  private final Output output;
  private final String machine;
  private final String name;
  private final int windows;
  private final Arrivals arrivals;

  /** Units that are still there, or have left and are not active yet, with what they wait for. */
  private final Map<String, String> pending = new LinkedHashMap<>();

  private final Map<String, String> told = new LinkedHashMap<>();
  private final Set<String> leaves = new LinkedHashSet<>();
  private final Set<String> stopTold = new LinkedHashSet<>();
  private boolean whole = true;

  /**
   * Prepares to follow.
   *
   * @param name of the machine, for people
   * @param before the units that were there before the drain began, as some leave before the first
   *     look; empty where it began long ago
   * @param windows how many times two seconds to wait at most; 0 or less for as long as it takes
   */
  public Draining(
      FleetClient client,
      Output output,
      String machine,
      String name,
      Set<String> before,
      int windows) {
    this.client = client;
    this.output = output;
    this.machine = machine;
    this.name = name;
    this.leaves.addAll(before);
    this.windows = windows;
    this.arrivals = new Arrivals(client, output, false, this::say);
  }

  /** Returns once it is over; whether all left that could have, and is active elsewhere. */
  public boolean follow() {
    boolean over = new Following(client, output, List.of(), windows).follow(new Drained());
    return over && whole && arrivals.areAllWell();
  }

  private final class Drained implements Following.Operation {
    @Override
    public boolean isOver() throws FleetException {
      Optional<DrainEntity> drain = client.operations().drain(machine);
      if (drain.isEmpty()) {
        output.problem("The drain of machine " + name + " was ended: somebody uncordoned it.");
        whole = false;
        return true;
      }
      return look(units(drain.get()));
    }

    @Override
    public Map<String, String> pending() {
      return pending;
    }

    @Override
    public String goesOn() {
      return "The drain of machine %s goes on: run \"fleetctl drain\" again to follow it, or end it with"
              .formatted(name)
          + " \"fleetctl uncordon\".";
    }
  }

  private static List<DrainedUnitEntity> units(DrainEntity drain) {
    return Objects.requireNonNullElse(drain.units(), List.of());
  }

  private boolean look(List<DrainedUnitEntity> there) throws FleetException {
    pending.clear();
    Map<String, DrainedUnitEntity> stay = new TreeMap<>();
    Set<String> present = new LinkedHashSet<>();
    there.forEach(unit -> present.add(orEmpty(unit.name())));
    // The next one leaves once those before are active, and that is how it is told.
    judgeGone(present);
    for (DrainedUnitEntity unit : there) {
      String named = orEmpty(unit.name());
      if (isOnItsWay(unit)) {
        leaves.add(named);
        if (arrivals.isBack(named)) {
          stopTold.remove(named);
        }
        pending.put(named, onItsWay(unit));
      } else {
        stay.put(named, unit);
      }
    }
    if (!pending.isEmpty()) {
      return false;
    }
    end(stay);
    return true;
  }

  private static boolean isOnItsWay(DrainedUnitEntity unit) {
    return switch (orEmpty(unit.standing())) {
      case "stays", "ended", "global" -> false;
      default -> true;
    };
  }

  private String onItsWay(DrainedUnitEntity unit) {
    String next = orEmpty(unit.next());
    return switch (orEmpty(unit.standing())) {
      case "next" -> "is about to leave";
      case "leaving" -> {
        String to = next.isEmpty() ? "" : ", to go to " + arrivals.machineName(next);
        if (stopTold.add(orEmpty(unit.name()))) {
          say(orEmpty(unit.name()), "is being stopped on " + name + to);
        }
        yield "is being stopped" + to;
      }
      default -> "waits: " + orEmpty(unit.reason());
    };
  }

  private void say(String unit, String step) {
    if (!step.equals(told.put(unit, step))) {
      output.clearStatus();
      output.line("Unit " + unit + " " + step);
      output.flush();
    }
  }

  // ---- what has left

  private void judgeGone(Set<String> present) throws FleetException {
    List<String> gone = new ArrayList<>();
    for (String unit : leaves) {
      if (!present.contains(unit) && !arrivals.isSettled(unit)) {
        gone.add(unit);
      }
    }
    // Units whose stop we observed left before those whose stop fell between two polls.
    gone.sort(Comparator.comparing(unit -> !stopTold.contains(unit)));
    pending.putAll(arrivals.look(gone, this::tellStop));
  }

  private void tellStop(String unit) {
    if (stopTold.add(unit)) {
      say(unit, "was stopped on " + name);
    }
  }

  // ---- how it ends

  private void end(Map<String, DrainedUnitEntity> stay) {
    output.clearStatus();
    List<String> globals = new ArrayList<>();
    int left = 0;
    for (Map.Entry<String, DrainedUnitEntity> entry : stay.entrySet()) {
      String unit = entry.getKey();
      switch (orEmpty(entry.getValue().standing())) {
        case "global" -> globals.add(unit);
        case "ended" ->
            output.line("Unit " + unit + " stays: it has ended, and elsewhere it would run again");
        default -> {
          output.problem("Unit " + unit + " stays: " + orEmpty(entry.getValue().reason()));
          left++;
        }
      }
    }
    if (!globals.isEmpty()) {
      output.line("Global units stay: " + String.join(", ", globals));
    }
    if (left == 0) {
      output.line("Machine " + name + " is drained.");
      return;
    }
    whole = false;
    output.problem(
        "Machine %s is not drained: %s; %s. \"fleetctl uncordon\" ends the drain."
            .formatted(
                name,
                left == 1 ? "1 unit stays" : left + " units stay",
                left == 1
                    ? "it leaves as soon as there is a place for it"
                    : "they leave as soon as there are places for them"));
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
