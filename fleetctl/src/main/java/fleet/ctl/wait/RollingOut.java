package fleet.ctl.wait;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import fleet.ctl.client.MachineNames;
import fleet.ctl.output.Output;
import fleet.entities.RolledOutUnitEntity;
import fleet.entities.RolloutEntity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows a rollout until it is over, and tells each step. It outlives the daemon, as {@link
 * Waiting} does.
 */
public final class RollingOut {

  private final FleetClient client;
  private final Output output;
  private final String name;
  private final int windows;

  /** Units that are not done yet, with their progress. */
  private final Map<String, String> pending = new LinkedHashMap<>();

  private final Map<String, String> told = new HashMap<>();

  /** Units that were changed: only these are told to have their old content again. */
  private final Set<String> changed = new HashSet<>();

  private MachineNames machines = new MachineNames(List.of());
  private String stageTold = "forward";
  private boolean done;
  private boolean paused;
  private String started = "";
  private String waitsFor = "";

  /** The last text with unknown machines: the same one is no reason to ask for machines again. */
  private String unknown = "";

  /**
   * Prepares to follow.
   *
   * @param windows how many times two seconds to wait at most; 0 or less for as long as it takes
   */
  public RollingOut(FleetClient client, Output output, String name, int windows) {
    this.client = client;
    this.output = output;
    this.name = name;
    this.windows = windows;
  }

  /** A rollout in one line. */
  public static String text(RolloutEntity rollout) {
    String stage =
        switch (orEmpty(rollout.stage())) {
          case "forward" -> "goes on";
          case "back" -> "goes back";
          case "done" -> "is done";
          default -> "was undone";
        };
    String why = orEmpty(rollout.reason());
    return "Rollout of %s, begun by %s at %s, %s%s%s."
        .formatted(
            rollout.name(),
            rollout.by(),
            rollout.started(),
            stage,
            why.isEmpty() ? "" : ": " + why,
            Boolean.TRUE.equals(rollout.paused()) ? "; it is paused" : "");
  }

  /** Returns once it is over; whether all units have the new content and do well. */
  public boolean follow() {
    boolean over = new Following(client, output, List.of("rollout"), windows).follow(new Rolled());
    return over && done;
  }

  private final class Rolled implements Following.Operation {
    @Override
    public boolean isOver() throws FleetException {
      Optional<RolloutEntity> rollout = client.operations().rollout(name);
      if (rollout.isEmpty()) {
        output.problem("There is no rollout of " + name + " any more: all of its units are gone.");
        return true;
      }
      if (!isSame(rollout.get())) {
        output.problem("Another rollout has taken the place of this one of " + name + ".");
        return true;
      }
      learnMachines(rollout.get());
      return look(rollout.get());
    }

    @Override
    public Map<String, String> pending() {
      return pending;
    }

    @Override
    public String notice() {
      return paused ? "paused: \"fleetctl rollout --resume " + name + "\" goes on" : "";
    }

    @Override
    public String goesOn() {
      return "The rollout of "
          + name
          + (stageTold.equals("forward")
              ? " goes on: run the command again to follow it; \"fleetctl rollout --pause\" holds"
                  + " it, --back undoes it."
              : " goes back all the same: \"fleetctl rollout --status "
                  + name
                  + "\" says how far.");
    }
  }

  private boolean isSame(RolloutEntity rollout) {
    String now = orEmpty(rollout.started());
    if (started.isEmpty()) {
      started = now;
    }
    return started.equals(now);
  }

  private void learnMachines(RolloutEntity rollout) throws FleetException {
    StringBuilder texts = new StringBuilder(orEmpty(rollout.reason()));
    texts.append(' ').append(orEmpty(rollout.waitsFor()));
    units(rollout).forEach(unit -> texts.append(' ').append(orEmpty(unit.how())));
    if (!machines.knowsAllIn(texts.toString()) && !texts.toString().equals(unknown)) {
      machines = new MachineNames(client.machines().list());
      unknown = texts.toString();
    }
  }

  private boolean look(RolloutEntity rollout) {
    String stage = orEmpty(rollout.stage());
    boolean forward = stage.equals("forward") || stage.equals("done");
    if (!forward && stageTold.equals("forward")) {
      told.clear();
      turnedBack(machines.in(orEmpty(rollout.reason())));
    }
    stageTold = forward ? "forward" : "back";
    paused = Boolean.TRUE.equals(rollout.paused());
    waitsFor = machines.in(orEmpty(rollout.waitsFor()));
    pending.clear();
    for (RolledOutUnitEntity unit : units(rollout)) {
      note(unit, forward);
    }
    return switch (stage) {
      case "done" -> {
        line("Rollout of " + name + " is done.");
        done = true;
        yield true;
      }
      case "undone" -> {
        problem("Rollout of " + name + " was undone: all have what they had.");
        yield true;
      }
      default -> false;
    };
  }

  private static List<RolledOutUnitEntity> units(RolloutEntity rollout) {
    return Objects.requireNonNullElse(rollout.units(), List.of());
  }

  private void turnedBack(String why) {
    problem("Rollout of " + name + " goes back: " + why);
    String unit = why.substring(0, Math.max(0, why.indexOf(' ')));
    if (pending.containsKey(unit)) {
      problem("  (see: fleetctl journal " + unit + ")");
    }
  }

  private void note(RolledOutUnitEntity unit, boolean forward) {
    String named = orEmpty(unit.name());
    String how = machines.in(orEmpty(unit.how()));
    String standing = orEmpty(unit.standing());
    if (!standing.equals(forward ? "waits" : "done")) {
      changed.add(named);
    }
    switch (standing) {
      case "done" -> {
        if (changed.contains(named)) {
          step(named, (forward ? "has the new content and " : "has again what it had and ") + how);
        }
      }
      case "failed" -> {
        step(named, how);
        if (forward) {
          pending.put(named, how);
        }
      }
      case "kept" -> step(named, "is left alone: somebody gave it another content meanwhile");
      case "proving" -> pending.put(named, how + ", and has to stay so for some seconds");
      case "waits" ->
          pending.put(named, waitsFor.isEmpty() ? "waits for its turn" : "waits: " + waitsFor);
      default -> pending.put(named, how);
    }
  }

  private void step(String unit, String what) {
    if (!what.equals(told.put(unit, what))) {
      line("Unit " + unit + " " + what);
    }
  }

  private void line(String text) {
    output.clearStatus();
    output.line(text);
    output.flush();
  }

  private void problem(String text) {
    output.clearStatus();
    output.problem(text);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
