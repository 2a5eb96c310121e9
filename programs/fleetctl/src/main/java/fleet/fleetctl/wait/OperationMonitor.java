package fleet.fleetctl.wait;

import fleet.entities.OperationEntity;
import fleet.entities.StepEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineDirectory;
import fleet.fleetctl.output.Output;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Follows an operation until it is over, and what has left its machine is active elsewhere; tells
 * each step. It outlives the daemon, as {@link UnitWait} does. For one use.
 */
public final class OperationMonitor {

  /** The events that tell of operations, besides those of units. */
  private static final List<String> EVENTS = List.of("operation");

  private final FleetClient client;
  private final Output output;
  private final OperationWords words;
  private final int windows;
  private final MachineDirectory machines;
  private final RelocationTracker arrivals;

  /** Units that are not done yet, with what they wait for. */
  private final Map<String, String> pending = new LinkedHashMap<>();

  private final Map<String, String> told = new HashMap<>();

  /** Units that have left their machine or are to, with that machine. */
  private final Map<String, String> leaving = new LinkedHashMap<>();

  private final Set<String> stopTold = new HashSet<>();

  /** Units that were changed: only these are told to have their old content again. */
  private final Set<String> changed = new HashSet<>();

  private boolean tellsDone;
  private boolean back;
  private boolean paused;
  private boolean well;
  private String started = "";

  /**
   * @param full whether ids of machines are shown whole
   * @param fresh whether it has just begun: else units that have arrived already are not told
   * @param windows how many times two seconds to wait at most; 0 or less for as long as it takes
   */
  public OperationMonitor(
      FleetClient client,
      Output output,
      OperationWords words,
      boolean full,
      boolean fresh,
      int windows) {
    this.client = client;
    this.output = output;
    this.words = words;
    this.tellsDone = fresh;
    this.windows = windows;
    this.machines = new MachineDirectory(client, full, output.isTerminal());
    this.arrivals = new RelocationTracker(client, output, machines, this::tellArrival);
  }

  /**
   * Reports units that leave before the first look.
   *
   * @param units on the machine that they leave
   */
  public OperationMonitor leaving(Set<String> units, String machine) {
    units.forEach(unit -> leaving.put(unit, machine));
    return this;
  }

  /** Returns once it is over, with its success. */
  public boolean follow() {
    return new ProgressMonitor(client, output, EVENTS, windows).follow(new Look()) && well;
  }

  private final class Look implements ProgressMonitor.Subject {
    @Override
    public boolean isOver() throws FleetException {
      Optional<OperationEntity> found = client.operations().find(words.id());
      if (found.isEmpty()) {
        output.problem(words.gone());
        return true;
      }
      if (!isSame(found.get())) {
        output.problem(words.replaced());
        return true;
      }
      return look(found.get());
    }

    @Override
    public Map<String, String> pending() {
      return pending;
    }

    @Override
    public String notice() {
      return paused ? words.paused() : "";
    }

    @Override
    public String goesOn() {
      return words.goesOn(back);
    }
  }

  private boolean isSame(OperationEntity operation) {
    String now = operation.started();
    if (started.isEmpty()) {
      started = now;
    }
    return started.equals(now);
  }

  private boolean look(OperationEntity operation) throws FleetException {
    String stage = operation.stage();
    boolean backwards = stage.equals("back") || stage.equals("undone");
    if (backwards && !back) {
      told.clear();
      tellTurn(machines.in(operation.reason()));
    }
    back = backwards;
    paused = Boolean.TRUE.equals(operation.paused());
    pending.clear();
    List<StepEntity> steps = operation.steps();
    // The next unit leaves once those before are active, and is reported in that order.
    judgeGone(steps);
    boolean haveArrived = pending.isEmpty();
    tellsDone = true;
    steps.forEach(step -> note(step, operation.waitsFor()));
    boolean rests = words.rests(stage, pending.isEmpty()) || words.awaitsPeople(operation);
    if (rests && haveArrived) {
      output.clearStatus();
      well = words.end(output, operation, steps, machines::in) && arrivals.areAllWell();
      return true;
    }
    return false;
  }

  private void tellTurn(String why) {
    output.clearStatus();
    output.problem(words.turned(why));
    String unit = why.substring(0, Math.max(0, why.indexOf(' ')));
    if (pending.keySet().stream().anyMatch(one -> (one + " ").startsWith(unit + " "))) {
      output.problem("  (see: fleetctl journal " + unit + ")");
    }
  }

  // ---- the steps

  /** A global unit has a step for each machine. */
  private String subject(StepEntity step) {
    return words.isOfMoves() || step.to().isEmpty()
        ? step.unit()
        : step.unit() + " on " + machines.of(step.to());
  }

  private void note(StepEntity step, String waitsFor) {
    String unit = subject(step);
    String detail = machines.in(step.detail());
    String standing = step.standing();
    boolean untouched = standing.equals(back ? "done" : "waits");
    if (!untouched) {
      changed.add(unit);
    }
    switch (standing) {
      case "waits" -> {
        if (words.isOfMoves()) {
          leaves(step);
        }
        pending.put(unit, waits(words.waitsFor(detail, machines.in(waitsFor))));
      }
      case "next" -> {
        leaves(step);
        pending.put(unit, "is about to leave " + machines.of(step.from()));
      }
      case "leaving" -> {
        leaves(step);
        pending.put(unit, stopping(step));
      }
      case "starting" -> pending.put(unit, detail);
      case "proving" -> pending.put(unit, detail + ", and has to stay so for some seconds");
      case "failed" -> {
        say(unit, detail);
        if (!back) {
          pending.put(unit, detail);
        }
      }
      case "done" -> {
        if (!words.isOfMoves() && changed.contains(unit)) {
          say(unit, words.changed(back) + detail);
        }
      }
      default -> {
        // Units that stay are reported at the end: until then they may find a place.
      }
    }
  }

  private static String waits(String what) {
    return what.isEmpty() ? "waits for its turn" : "waits: " + what;
  }

  private void leaves(StepEntity step) {
    String unit = step.unit();
    leaving.put(unit, step.from());
    if (arrivals.isBack(unit)) {
      stopTold.remove(unit);
    }
  }

  private String stopping(StepEntity step) {
    String stopped = "is being stopped on " + machines.of(step.from());
    String to = step.to();
    if (stopTold.add(step.unit())) {
      say(step.unit(), stopped + (to.isEmpty() ? "" : ", to go to " + machines.of(to)));
    }
    return stopped;
  }

  private void say(String unit, String what) {
    if (!what.equals(told.put(unit, what))) {
      output.clearStatus();
      output.line("Unit " + unit + " " + what);
      output.flush();
    }
  }

  // ---- what has left

  /** Units that have left are done, or no longer part of the operation. */
  private void judgeGone(List<StepEntity> steps) throws FleetException {
    if (!words.isOfMoves()) {
      return;
    }
    Set<String> present = new HashSet<>();
    for (StepEntity step : steps) {
      if ("done".equals(step.standing())) {
        leaving.putIfAbsent(step.unit(), step.from());
      } else {
        present.add(step.unit());
      }
    }
    Set<String> away = new LinkedHashSet<>(leaving.keySet());
    away.removeAll(present);
    away.removeIf(arrivals::isSettled);
    List<String> gone = new ArrayList<>(away);
    // Units whose stop we observed left before those whose stop fell between two polls.
    gone.sort(Comparator.comparing(unit -> !stopTold.contains(unit)));
    pending.putAll(arrivals.look(gone, this::tellStop));
  }

  private void tellStop(String unit) {
    if (stopTold.add(unit)) {
      tellArrival(unit, "was stopped on " + machines.of(leaving.getOrDefault(unit, "")));
    }
  }

  private void tellArrival(String unit, String what) {
    if (tellsDone) {
      say(unit, what);
    }
  }
}
