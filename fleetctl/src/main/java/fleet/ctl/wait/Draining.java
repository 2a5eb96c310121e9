package fleet.ctl.wait;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import fleet.ctl.client.MachineNames;
import fleet.ctl.client.Units;
import fleet.ctl.output.Output;
import fleet.ctl.wait.EventFeed.Lost;
import fleet.ctl.wait.EventFeed.Message;
import fleet.entities.DrainEntity;
import fleet.entities.DrainedUnitEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import java.io.IOException;
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

  private static final long SECOND = 1_000_000_000L;

  /** Everything is looked at again that often, whatever the events say. */
  private static final long SAFETY = 5 * SECOND;

  private final FleetClient client;
  private final Output output;
  private final FailureReport failures;
  private final String machine;
  private final String name;
  private final long limit;
  private final long start = System.nanoTime();

  /** What is still there, or has left and is not active yet, with what it waits for. */
  private final Map<String, String> pending = new LinkedHashMap<>();

  private final Map<String, String> told = new LinkedHashMap<>();
  private final Set<String> leaves = new LinkedHashSet<>();
  private final Set<String> stopTold = new LinkedHashSet<>();
  private final Set<String> settled = new LinkedHashSet<>();
  private MachineNames machines = new MachineNames(List.of());
  private @Nullable ProgressDisplay display;
  private boolean whole = true;
  private String silence = "";

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
    this.failures = new FailureReport(client, output);
    this.machine = machine;
    this.name = name;
    this.leaves.addAll(before);
    this.limit = windows <= 0 ? Long.MAX_VALUE : windows * 2L * SECOND;
  }

  /** Returns once it is over; whether all left that could have, and is active elsewhere. */
  public boolean follow() {
    try (Interruption interruption = new Interruption(this::interrupted);
        EventFeed feed = new EventFeed(client, List.of())) {
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
      Optional<DrainEntity> drain = client.drain(machine);
      if (drain.isEmpty()) {
        output.problem("The drain of machine " + name + " was ended: somebody uncordoned it.");
        whole = false;
        return true;
      }
      boolean over = look(units(drain.get()));
      silence = "";
      return over;
    } catch (FleetException e) {
      silence = String.valueOf(e.getMessage());
      return false;
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
        if (settled.remove(named)) {
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
        String to = next.isEmpty() ? "" : ", to go to " + machineName(next);
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
      if (!present.contains(unit) && !settled.contains(unit)) {
        gone.add(unit);
      }
    }
    if (gone.isEmpty()) {
      return;
    }
    // Whose stop was seen has left before whose stop went by between two looks.
    gone.sort(Comparator.comparing(unit -> !stopTold.contains(unit)));
    Map<String, UnitEntity> units = client.units(gone);
    Map<String, List<StateEntity>> states = client.statesOf(gone);
    for (String unit : gone) {
      if (stopTold.add(unit)) {
        say(unit, "was stopped on " + name);
      }
      judge(
          unit,
          new Sight(Optional.ofNullable(units.get(unit)), states.getOrDefault(unit, List.of())));
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
    return machines.of(id, false);
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

  private String goesOn() {
    return "The drain of machine %s goes on: run \"fleetctl drain\" again to follow it, or end it with"
            .formatted(name)
        + " \"fleetctl uncordon\".";
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
