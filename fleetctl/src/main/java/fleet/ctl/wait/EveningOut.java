package fleet.ctl.wait;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import fleet.ctl.client.MachineNames;
import fleet.ctl.client.Units;
import fleet.ctl.output.Output;
import fleet.ctl.wait.EventFeed.Lost;
import fleet.ctl.wait.EventFeed.Message;
import fleet.entities.RebalanceEntity;
import fleet.entities.RebalancedUnitEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import java.io.IOException;
import java.util.ArrayList;
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

  private static final long SECOND = 1_000_000_000L;

  /** Everything is looked at again that often, whatever the events say. */
  private static final long SAFETY = 5 * SECOND;

  private final FleetClient client;
  private final Output output;
  private final FailureReport failures;
  private final boolean full;
  private final long limit;
  private final long start = System.nanoTime();

  /** What is still to leave, or has left and is not active yet, with what it waits for. */
  private final Map<String, String> pending = new LinkedHashMap<>();

  private final Set<String> stopTold = new LinkedHashSet<>();
  private final Set<String> settled = new LinkedHashSet<>();
  private MachineNames machines = new MachineNames(List.of());
  private @Nullable ProgressDisplay display;
  private boolean whole = true;

  /** Whether what has come to its place is told. */
  private boolean tellsMoved;

  private String silence = "";

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
    this.failures = new FailureReport(client, output);
    this.full = full;
    this.tellsMoved = fresh;
    this.limit = windows <= 0 ? Long.MAX_VALUE : windows * 2L * SECOND;
  }

  /** Returns once it is over; whether all that was to move is active where it went. */
  public boolean follow() {
    try (Interruption interruption = new Interruption(this::interrupted);
        EventFeed feed = new EventFeed(client, List.of(), List.of("rebalance-ended"))) {
      feed.start();
      while (!isOver()) {
        tell();
        if (System.nanoTime() - start >= limit) {
          giveUp();
          break;
        }
        awaitNews(feed);
      }
      interruption.over();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (IOException closingFailed) {
      return whole;
    } finally {
      output.clearStatus();
    }
    return whole;
  }

  /** What comes together is looked at together. */
  private void awaitNews(EventFeed feed) throws InterruptedException {
    long left = limit == Long.MAX_VALUE ? SAFETY : start + limit - System.nanoTime();
    Optional<Message> message = feed.next(Math.min(left, SAFETY));
    while (message.isPresent()) {
      if (message.get() instanceof Lost lost) {
        silence = lost.why();
      }
      message = feed.next(0);
    }
  }

  private boolean isOver() {
    try {
      Optional<RebalanceEntity> rebalance = client.rebalance();
      if (rebalance.isEmpty()) {
        output.problem("The rebalance is not in the cluster any more.");
        whole = false;
        return true;
      }
      boolean over = look(rebalance.get());
      silence = "";
      return over;
    } catch (FleetException e) {
      silence = String.valueOf(e.getMessage());
      return false;
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
      case "next" -> "is about to leave " + machineName(orEmpty(unit.from()));
      case "leaving" -> {
        String where = " stopped on " + machineName(orEmpty(unit.from()));
        if (stopTold.add(orEmpty(unit.name()))) {
          say(
              orEmpty(unit.name()),
              "is being" + where + ", to go to " + machineName(orEmpty(unit.to())));
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

  // ---- what has left

  private void judgeMoved(List<RebalancedUnitEntity> all) throws FleetException {
    List<RebalancedUnitEntity> moved = new ArrayList<>();
    for (RebalancedUnitEntity unit : all) {
      if ("moved".equals(unit.standing()) && !settled.contains(orEmpty(unit.name()))) {
        moved.add(unit);
      }
    }
    if (moved.isEmpty()) {
      return;
    }
    List<String> names = moved.stream().map(unit -> orEmpty(unit.name())).toList();
    Map<String, UnitEntity> units = client.units(names);
    Map<String, List<StateEntity>> states = client.statesOf(names);
    for (RebalancedUnitEntity unit : moved) {
      String name = orEmpty(unit.name());
      if (stopTold.add(name)) {
        say(name, "was stopped on " + machineName(orEmpty(unit.from())));
      }
      judge(
          name,
          new Sight(Optional.ofNullable(units.get(name)), states.getOrDefault(name, List.of())));
    }
  }

  private void judge(String unit, Sight sight) {
    if (sight.unit().isEmpty()) {
      settle(unit, "was destroyed");
      return;
    }
    String desired = Units.desired(sight.unit().get());
    if (desired.equals("inactive")) {
      settle(unit, "was unloaded");
      return;
    }
    Goal goal = desired.equals("loaded") ? new LoadedGoal() : new ActiveGoal();
    switch (goal.judge(sight)) {
      case Verdict.Reached reached -> {
        String to = reached.announcement().machine();
        settle(
            unit, reached.announcement().state() + (to.isEmpty() ? "" : " on " + machineName(to)));
      }
      case Verdict.Failed failed -> {
        settled.add(unit);
        whole = false;
        output.clearStatus();
        failures.tell(unit, text(failed.why()), failed.machine());
      }
      case Verdict.Pending waits -> pending.put(unit, text(waits.progress()));
      case Verdict.Unsure unsure -> pending.put(unit, text(unsure.progress()));
    }
  }

  private void settle(String unit, String step) {
    settled.add(unit);
    say(unit, step);
  }

  private String text(Verdict.Progress progress) {
    String on = progress.machine().isEmpty() ? "" : " " + machineName(progress.machine());
    return progress.text() + on + progress.details();
  }

  private String machineName(String id) {
    if (!machines.isKnown(id)) {
      try {
        machines = new MachineNames(client.machines());
      } catch (FleetException e) {
        return MachineNames.shortId(id);
      }
    }
    return machines.of(id, full);
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

  private void tell() {
    long now = System.nanoTime();
    if (display == null) {
      display = new ProgressDisplay(output, pending.size(), start);
    }
    if (silence.isEmpty()) {
      display.update(List.copyOf(pending.keySet()), unit -> orEmpty(pending.get(unit)), now);
    } else {
      display.notice("fleetd does not answer, waiting: " + silence, now);
    }
  }

  private void giveUp() {
    whole = false;
    output.clearStatus();
    pending.forEach((unit, why) -> output.problem("Timed out: unit " + unit + " " + why));
    output.problem(goesOn());
  }

  /** Runs on another thread, while the process ends. */
  private void interrupted() {
    output.clearStatus();
    output.problem("Interrupted. " + goesOn());
  }

  private static String goesOn() {
    return "The rebalance goes on: run \"fleetctl rebalance\" again to follow it, or end it with"
        + " \"fleetctl rebalance --stop\".";
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
