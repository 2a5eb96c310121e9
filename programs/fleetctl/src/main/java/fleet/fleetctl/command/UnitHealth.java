package fleet.fleetctl.command;

import fleet.core.state.FailureWords;
import fleet.entities.StateEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.output.Ages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The matter with a unit on a machine, in one line: since when, why, and its last words. */
final class UnitHealth {

  /** A journal on a machine that does not answer is worth no more of the time for an answer. */
  private static final int SHARE_OF_TIMEOUT = 10;

  private static final int LINES = 20;

  /** The machines of a global unit that have a line each: more would read a journal each. */
  private static final int MACHINES = 3;

  /** A line of a journal, such as {@code Nov 25 20:28:22 node1 app[123]: bind failed}. */
  private static final Pattern ENTRY =
      Pattern.compile("\\S+ +\\d+ [\\d:]+ \\S+ (?<by>[^:\\[]+)(?:\\[\\d+])?: (?<text>.*)");

  private final FleetClient client;
  private final MachineNames machines;
  private final Instant now;
  private final Duration patience;

  /**
   * @param requestTimeout for how long commands wait for an answer of fleetd
   */
  UnitHealth(FleetClient client, MachineNames machines, Instant now, Duration requestTimeout) {
    this.client = client;
    this.machines = machines;
    this.now = now;
    this.patience = requestTimeout.dividedBy(SHARE_OF_TIMEOUT);
  }

  /**
   * A line for each of the first machines of a unit; those that are active share one. Empty if
   * fleetd does not tell.
   */
  List<String> of(String unit) {
    List<StateEntity> states;
    try {
      states = client.statesOf(unit);
    } catch (FleetException untold) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    List<StateEntity> active = states.stream().filter(UnitHealth::isActive).toList();
    List<StateEntity> others = states.stream().filter(state -> !isActive(state)).toList();
    others.stream().limit(MACHINES).map(this::of).forEach(lines::add);
    if (others.size() > MACHINES) {
      int more = others.size() - MACHINES;
      lines.add(
          "%s is not active on %d more %s"
              .formatted(unit, more, more == 1 ? "machine" : "machines"));
    }
    if (active.size() > 1) {
      lines.add("%s is active on %d machines".formatted(unit, active.size()));
    } else {
      active.forEach(state -> lines.add(of(state)));
    }
    return lines;
  }

  private static boolean isActive(StateEntity state) {
    return state.systemdActiveState().equals("active");
  }

  /** The line of one machine. */
  String of(StateEntity state) {
    String where = state.name() + " on " + machines.host(state.machineID()) + ": ";
    return where + words(state) + restarts(state) + problem(state) + lastWords(state);
  }

  private String words(StateEntity state) {
    String age = state.since().isEmpty() ? "" : Ages.since(state.since(), now);
    String active = state.systemdActiveState();
    if (!active.equals("failed")) {
      return "%s (%s)%s"
          .formatted(active, state.systemdSubState(), age.isEmpty() ? "" : " for " + age);
    }
    String why =
        FailureWords.of(state.result(), number(state.exitCode()), number(state.exitSignal()));
    return "failed" + (age.isEmpty() ? "" : " " + age + " ago") + (why.isEmpty() ? "" : ", " + why);
  }

  private static int number(@Nullable Integer number) {
    return number == null ? 0 : number;
  }

  private static String restarts(StateEntity state) {
    Long restarts = state.restarts();
    if (restarts == null || restarts == 0) {
      return "";
    }
    return ", restarted %s by systemd".formatted(restarts == 1 ? "once" : restarts + " times");
  }

  private static String problem(StateEntity state) {
    return state.problem().isEmpty() ? "" : "; " + state.problem();
  }

  /** Empty for a unit that is well, and if its machine does not answer soon. */
  private String lastWords(StateEntity state) {
    if (!state.systemdActiveState().equals("failed")
        && !state.systemdSubState().equals("auto-restart")) {
      return "";
    }
    try {
      return CompletableFuture.supplyAsync(() -> lastLine(state), Thread::startVirtualThread)
          .get(patience.toMillis(), TimeUnit.MILLISECONDS)
          .map(": \"%s\""::formatted)
          .orElse("");
    } catch (ExecutionException | TimeoutException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private Optional<String> lastLine(StateEntity state) {
    try {
      Optional<HttpAnswer> answer =
          client.streams().journal(state.name(), LINES, false, "short", state.machineID());
      if (answer.isEmpty()) {
        return Optional.empty();
      }
      try (HttpAnswer journal = answer.get()) {
        return lastOfItsOwn(new String(journal.stream().readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (FleetException | IOException e) {
      return Optional.empty();
    }
  }

  /** systemd's own lines say what the state says already. */
  static Optional<String> lastOfItsOwn(String journal) {
    return journal
        .lines()
        .map(ENTRY::matcher)
        .filter(entry -> entry.matches() && !entry.group("by").equals("systemd"))
        .map(entry -> entry.group("text"))
        .reduce((_, last) -> last);
  }
}
