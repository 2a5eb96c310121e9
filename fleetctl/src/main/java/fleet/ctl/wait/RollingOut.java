package fleet.ctl.wait;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import fleet.ctl.client.MachineNames;
import fleet.ctl.output.Output;
import fleet.ctl.wait.EventFeed.Lost;
import fleet.ctl.wait.EventFeed.Message;
import fleet.entities.RolledOutUnitEntity;
import fleet.entities.RolloutEntity;
import java.io.IOException;
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

  private static final long SECOND = 1_000_000_000L;

  /** Everything is looked at again that often, whatever the events say. */
  private static final long SAFETY = 5 * SECOND;

  /** In a busy cluster much happens that is not of the rollout: between two looks goes so much. */
  private static final long APART = SECOND / 4;

  private final FleetClient client;
  private final Output output;
  private final String name;
  private final long limit;
  private final long start = System.nanoTime();

  /** What is not done yet, with how it is. */
  private final Map<String, String> pending = new LinkedHashMap<>();

  private final Map<String, String> told = new HashMap<>();

  /** What was never changed need not be told to have again what it had. */
  private final Set<String> changed = new HashSet<>();

  private MachineNames machines = new MachineNames(List.of());
  private String stageTold = "forward";
  private @Nullable ProgressDisplay display;
  private boolean done;
  private boolean paused;
  private String silence = "";
  private String started = "";
  private String waitsFor = "";

  /** What spoke of machines that nobody knew when they were last asked for. */
  private String unknown = "";

  private long looked;

  /**
   * Prepares to follow.
   *
   * @param windows how many times two seconds to wait at most; 0 or less for as long as it takes
   */
  public RollingOut(FleetClient client, Output output, String name, int windows) {
    this.client = client;
    this.output = output;
    this.name = name;
    this.limit = windows <= 0 ? Long.MAX_VALUE : windows * 2L * SECOND;
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
    try (Interruption interruption = new Interruption(this::interrupted);
        EventFeed feed = new EventFeed(client, List.of(), List.of("rollout"))) {
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
      return done;
    } finally {
      output.clearStatus();
    }
    return done;
  }

  /** What comes together is looked at together. */
  private void awaitNews(EventFeed feed) throws InterruptedException {
    long left = limit == Long.MAX_VALUE ? SAFETY : start + limit - System.nanoTime();
    Optional<Message> message = feed.next(Math.min(left, SAFETY));
    while (message.isPresent()) {
      if (message.get() instanceof Lost lost) {
        silence = lost.why();
      }
      message = feed.next(looked + APART - System.nanoTime());
    }
  }

  private boolean isOver() {
    try {
      looked = System.nanoTime();
      Optional<RolloutEntity> rollout = client.rollout(name);
      silence = "";
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
    } catch (FleetException e) {
      silence = String.valueOf(e.getMessage());
      return false;
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
      machines = new MachineNames(client.machines());
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

  private void tell() {
    long now = System.nanoTime();
    if (display == null) {
      display = new ProgressDisplay(output, pending.size(), start);
    }
    if (!silence.isEmpty()) {
      display.notice("fleetd does not answer, waiting: " + silence, now);
    } else if (paused) {
      display.notice("paused: \"fleetctl rollout --resume " + name + "\" goes on", now);
    } else {
      display.update(List.copyOf(pending.keySet()), unit -> orEmpty(pending.get(unit)), now);
    }
  }

  private void giveUp() {
    output.clearStatus();
    pending.forEach((unit, how) -> output.problem("Timed out: unit " + unit + " " + how));
    output.problem(goesOn());
  }

  /** Runs on another thread, while the process ends. */
  private void interrupted() {
    output.clearStatus();
    output.problem("Interrupted. " + goesOn());
  }

  private String goesOn() {
    return "The rollout of "
        + name
        + (stageTold.equals("forward")
            ? " goes on: run the command again to follow it; \"fleetctl rollout --pause\" holds it,"
                + " --back undoes it."
            : " goes back all the same: \"fleetctl rollout --status " + name + "\" says how far.");
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
