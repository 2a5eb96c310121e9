package fleet.ctl.wait;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import fleet.ctl.output.Output;
import fleet.entities.RebalanceEntity;
import fleet.entities.RebalancedUnitEntity;
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
 * Follows a rebalance until it has ended, and what has moved is active where it went; tells each
 * step. It outlives the daemon, as {@link Waiting} does.
 */
public final class EveningOut {

  private final FleetClient client;
  private final Output output;
  private final int windows;
  private final Arrivals arrivals;

  /** Units that have not left yet, or have left and are not active yet, with what they wait for. */
  private final Map<String, String> pending = new LinkedHashMap<>();

  private final Set<String> stopTold = new LinkedHashSet<>();
  private boolean whole = true;

  /** Whether what has come to its place is told. */
  private boolean tellsMoved;

  /**
   * Prepares to follow.
   *
   * @param full whether ids of machines are shown whole
   * @param fresh whether it has just begun: else what has moved already is not told
   * @param windows how many times two seconds to wait at most; 0 or less for as long as it takes
   */
  public EveningOut(FleetClient client, Output output, boolean full, boolean fresh, int windows) {
    this.client = client;
    this.output = output;
    this.tellsMoved = fresh;
    this.windows = windows;
    this.arrivals = new Arrivals(client, output, full, this::say);
  }

  /** Returns once it is over; whether all that was to move is active where it went. */
  public boolean follow() {
    boolean over =
        new Following(client, output, List.of("rebalance-ended"), windows).follow(new Evened());
    return over && whole && arrivals.areAllWell();
  }

  private final class Evened implements Following.Operation {
    @Override
    public boolean isOver() throws FleetException {
      Optional<RebalanceEntity> rebalance = client.operations().rebalance();
      if (rebalance.isEmpty()) {
        output.problem("The rebalance is not in the cluster any more.");
        whole = false;
        return true;
      }
      return look(rebalance.get());
    }

    @Override
    public Map<String, String> pending() {
      return pending;
    }

    @Override
    public String goesOn() {
      return "The rebalance goes on: run \"fleetctl rebalance\" again to follow it, or end it with"
          + " \"fleetctl rebalance --stop\".";
    }
  }

  private boolean look(RebalanceEntity rebalance) throws FleetException {
    List<RebalancedUnitEntity> units = Objects.requireNonNullElse(rebalance.units(), List.of());
    pending.clear();
    // The next one leaves once those before are active, and that is how it is told.
    judgeMoved(units);
    tellsMoved = true;
    Map<String, String> stay = new TreeMap<>();
    for (RebalancedUnitEntity unit : units) {
      String named = orEmpty(unit.name());
      switch (orEmpty(unit.standing())) {
        case "moved" -> {
          // Judged by where it is now.
        }
        case "stays" -> stay.put(named, orEmpty(unit.reason()));
        default -> pending.put(named, onItsWay(unit));
      }
    }
    if (!pending.isEmpty() || !Boolean.TRUE.equals(rebalance.ended())) {
      return false;
    }
    end(rebalance, stay);
    return true;
  }

  private String onItsWay(RebalancedUnitEntity unit) {
    return switch (orEmpty(unit.standing())) {
      case "next" -> "is about to leave " + arrivals.machineName(orEmpty(unit.from()));
      case "leaving" -> {
        String where = " stopped on " + arrivals.machineName(orEmpty(unit.from()));
        if (stopTold.add(orEmpty(unit.name()))) {
          say(
              orEmpty(unit.name()),
              "is being" + where + ", to go to " + arrivals.machineName(orEmpty(unit.to())));
        }
        yield "is being" + where;
      }
      default -> "waits: " + orEmpty(unit.reason());
    };
  }

  private void say(String unit, String step) {
    if (!tellsMoved) {
      return;
    }
    output.clearStatus();
    output.line("Unit " + unit + " " + step);
    output.flush();
  }

  private void judgeMoved(List<RebalancedUnitEntity> all) throws FleetException {
    Map<String, String> moved = new LinkedHashMap<>();
    for (RebalancedUnitEntity unit : all) {
      if ("moved".equals(unit.standing()) && !arrivals.isSettled(orEmpty(unit.name()))) {
        moved.put(orEmpty(unit.name()), orEmpty(unit.from()));
      }
    }
    List<String> gone = new ArrayList<>(moved.keySet());
    // Units whose stop we observed left before those whose stop fell between two polls.
    gone.sort(Comparator.comparing(unit -> !stopTold.contains(unit)));
    pending.putAll(
        arrivals.look(
            gone,
            unit -> {
              if (stopTold.add(unit)) {
                say(unit, "was stopped on " + arrivals.machineName(orEmpty(moved.get(unit))));
              }
            }));
  }

  // ---- how it ends

  private void end(RebalanceEntity rebalance, Map<String, String> stay) {
    output.clearStatus();
    stay.forEach((unit, why) -> output.problem("Unit " + unit + " stayed: " + why));
    whole &= stay.isEmpty();
    String now = "machines have " + EvennessText.of(rebalance.least(), rebalance.most()) + ".";
    if (stay.isEmpty()) {
      output.line("The rebalance is over: " + now);
    } else {
      output.problem(
          "The rebalance is over, and %s not moved: %s"
              .formatted(stay.size() == 1 ? "1 unit has" : stay.size() + " units have", now));
    }
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
