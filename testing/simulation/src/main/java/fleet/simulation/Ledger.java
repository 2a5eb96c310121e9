package fleet.simulation;

import fleet.cluster.Caller;
import fleet.cluster.PutResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitPut;
import fleet.core.desired.Unit;
import fleet.core.operation.OperationId;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.RolloutRecord;
import fleet.registry.records.UnitRecord;
import fleet.simulation.store.StoreServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The commands that were asked for, and what the store says of them. Each caller has a name of its
 * own, which the store keeps, so that each change of a unit has one command that explains it, and
 * each command changes a unit once at most. An answer is true: at some moment between question and
 * answer, the store said the same.
 */
final class Ledger {

  /** How old an answer may be of whoever hears the store. */
  private static final Duration BEHIND = Duration.ofSeconds(5);

  /**
   * The same if the store was out of reach until just now: it answers a moment before the changes
   * come, and in that moment an answer is as old as the cut was long, if nobody else leads by then.
   */
  private static final Duration BEHIND_A_CUT = Duration.ofMinutes(1);

  private final Judge judge;
  private final StoreServer store;
  private final Map<String, Asked> commands = new HashMap<>();
  private final Map<UnitName, List<Version>> versions = new HashMap<>();

  /** The last revision that each fleetd has acknowledged. */
  private final Map<String, Long> acknowledged = new HashMap<>();

  /** Those that cannot be told from the store alone. */
  private final Predicate<UnitName> mayRun;

  /** A unit as the store has had it since a revision. */
  private record Version(long revision, long at, Optional<UnitRecord> record) {}

  private static final class Asked {
    private final ClientRequest command;
    private final String fleetd;
    private final long at;
    private final Map<UnitName, Long> done = new HashMap<>();

    /** The last revision that this fleetd had acknowledged; a reader sees at least that. */
    private final long seen;

    Asked(ClientRequest command, String fleetd, long at, long seen) {
      this.command = command;
      this.fleetd = fleetd;
      this.at = at;
      this.seen = seen;
    }
  }

  /** Whether a fleetd has heard the store for some time. */
  private final Predicate<String> isInTouch;

  /**
   * @param isInTouch whether a fleetd, by the name of its process, has heard the store for some
   *     time
   * @param mayRun whether nobody can say for certain that a unit does not run, nor is about to
   */
  Ledger(Judge judge, StoreServer store, Predicate<String> isInTouch, Predicate<UnitName> mayRun) {
    this.judge = judge;
    this.store = store;
    this.isInTouch = isInTouch;
    this.mayRun = mayRun;
    store.observe(this::committed);
  }

  /**
   * Somebody asks; the caller that it gives is nobody else's.
   *
   * @param fleetd names the process that is asked
   */
  Caller asks(ClientRequest command, String fleetd) {
    String name = "caller-" + commands.size();
    long seen = acknowledged.getOrDefault(fleetd, 0L);
    commands.put(name, new Asked(command, fleetd, store.revision(), seen));
    return new Caller(name);
  }

  // ---- what is written

  private void committed(Delta delta) {
    for (Change change : delta.changes()) {
      if (change.key().startsWith(Keys.UNITS)) {
        UnitName unit = Keys.unitOf(change.key());
        Optional<UnitRecord> before = now(unit);
        Optional<UnitRecord> after =
            change instanceof Change.Written written
                ? Optional.of(UnitRecord.of(written.entry()))
                : Optional.empty();
        versions
            .computeIfAbsent(unit, _ -> new ArrayList<>())
            .add(new Version(delta.revision(), judge.simulation().now(), after));
        if (after.isEmpty()) {
          explain(
              unit,
              destroyer(unit, delta),
              delta.revision(),
              ClientRequest.Destroy.class::isInstance);
        } else {
          changed(unit, before, after.get(), delta.revision());
        }
      }
    }
  }

  private Optional<UnitRecord> now(UnitName unit) {
    List<Version> all = versions.getOrDefault(unit, List.of());
    return all.isEmpty() ? Optional.empty() : all.getLast().record();
  }

  private static String destroyer(UnitName unit, Delta delta) {
    return delta.changes().stream()
        .filter(change -> change.key().equals(Keys.command(unit.value())))
        .filter(Change.Written.class::isInstance)
        .map(change -> CommandRecord.of(((Change.Written) change).entry()).by())
        .findFirst()
        .orElse("nobody");
  }

  private void changed(
      UnitName unit, Optional<UnitRecord> before, UnitRecord after, long revision) {
    if (before.isEmpty() || !before.get().incarnation().equals(after.incarnation())) {
      if (isOfRollout(unit, after)) {
        return;
      }
      explain(unit, after.by(), revision, command -> puts(command, unit, after, true));
      return;
    }
    UnitRecord was = before.get();
    boolean isWanted =
        was.desired() != after.desired()
            || was.restartCounter() != after.restartCounter()
            || !was.require().equals(after.require());
    if (!isWanted) {
      return;
    }
    boolean starts = after.desired() == DesiredState.LAUNCHED && after.desired() != was.desired();
    boolean asksAgain =
        after.desired() == was.desired() && after.desired() == DesiredState.LAUNCHED;
    if (after.restartCounter() != counter(was, after, starts || asksAgain)) {
      throw judge.violated(
          Rule.AS_ACKNOWLEDGED,
          "at revision %d %s is asked for start %d after start %d"
              .formatted(revision, unit, after.restartCounter(), was.restartCounter()));
    }
    explain(
        unit,
        after.by(),
        revision,
        command -> asksAgain ? startsAgain(command, unit) : puts(command, unit, after, false));
  }

  /** The restart counter that a unit gets. */
  private long counter(UnitRecord was, UnitRecord after, boolean starts) {
    Asked asked = commands.get(after.by());
    boolean inTurns = asked != null && asked.command instanceof ClientRequest.RestartInTurns;
    if (inTurns) {
      return was.highestCounter();
    }
    return starts ? was.nextCounter() : was.restartCounter();
  }

  private static boolean startsAgain(ClientRequest command, UnitName unit) {
    return switch (command) {
      case ClientRequest.RestartInTurns turns -> turns.restart().name().equals(unit);
      case ClientRequest.Restart restart -> restart.unit().equals(unit);
      case ClientRequest.StartAgain start -> start.unit().equals(unit);
      default -> false;
    };
  }

  private static boolean puts(
      ClientRequest command, UnitName unit, UnitRecord after, boolean content) {
    return command instanceof ClientRequest.Put put
        && put.puts().stream()
            .filter(one -> one.name().equals(unit))
            .filter(one -> !content || one.file().filter(file -> isOf(file, after)).isPresent())
            .anyMatch(one -> one.desired().orElse(DesiredState.INACTIVE) == after.desired());
  }

  private static boolean isOf(UnitFile file, UnitRecord record) {
    return file.sha256().equals(record.sha256());
  }

  /** The leader writes for whoever asked for the rollout, unit by unit, there and back. */
  private boolean isOfRollout(UnitName unit, UnitRecord after) {
    Asked asked = commands.get(after.by());
    if (asked == null || !(asked.command instanceof ClientRequest.RollOut)) {
      return false;
    }
    return Stream.of(unit.template().orElse(unit), unit)
        .flatMap(name -> store.get(Keys.operation(OperationId.rollout(name))).stream())
        .map(RolloutRecord::of)
        .filter(record -> record.operation().by().equals(after.by()))
        .filter(record -> !record.operation().paused())
        .anyMatch(record ->
            switch (record.operation().stage()) {
              case FORWARD -> record.sha256().equals(after.sha256());
              case BACK -> after.sha256().equals(record.before().get(unit));
              case DONE -> hasTurn(record, after);
              case STOPPING, UNDONE, CANCELLED -> false;
            });
  }

  /** A global unit gets what its machines have in the end. */
  private static boolean hasTurn(RolloutRecord rollout, UnitRecord after) {
    return rollout
        .global()
        .filter(global -> global.update().incarnation().equals(after.incarnation()))
        .isPresent();
  }

  private void explain(
      UnitName unit, String caller, long revision, Predicate<ClientRequest> isCause) {
    Asked asked = commands.get(caller);
    if (asked == null || !isCause.test(asked.command)) {
      throw judge.violated(
          Rule.AS_ACKNOWLEDGED,
          "at revision %d %s is changed as %s asked, who did not"
              .formatted(revision, unit, caller));
    }
    if (asked.done.putIfAbsent(unit, revision) != null) {
      throw judge.violated(
          Rule.AS_ACKNOWLEDGED,
          "at revision %d a command is carried out a second time: %s"
              .formatted(revision, asked.command.text()));
    }
  }

  // ---- what is answered

  /** The cluster has answered. */
  void answered(Caller caller, ClientRequest.Answer answer) {
    Asked asked = Objects.requireNonNull(commands.get(caller.name()));
    asked.done.values().forEach(revision -> acknowledged.merge(asked.fleetd, revision, Math::max));
    switch (answer) {
      case ClientRequest.Answer.Puts puts -> {
        List<UnitPut> all = ((ClientRequest.Put) asked.command).puts();
        for (int i = 0; i < all.size(); i++) {
          put(asked, all.get(i), puts.results().get(i));
        }
      }
      case ClientRequest.Answer.Destroyed destroyed -> {
        UnitName unit = ((ClientRequest.Destroy) asked.command).unit();
        require(
            asked,
            destroyed.was() ? asked.done.containsKey(unit) : was(asked, unit, Optional::isEmpty),
            destroyed.was() ? "destroyed" : "not there");
      }
      case ClientRequest.Answer.Started started -> started(asked, started.result());
      case ClientRequest.Answer.Shown shown -> shown(asked, shown);
      case ClientRequest.Answer.RestartedInTurns _, ClientRequest.Answer.RolledOut _ -> {
        // Told by the operation itself, which has to come to its end.
      }
    }
  }

  private void put(Asked asked, UnitPut put, PutResult result) {
    boolean holds =
        switch (result) {
          case CREATED, REPLACED -> asked.done.containsKey(put.name());
          case UPDATED ->
              asked.done.containsKey(put.name())
                  || was(
                      asked,
                      put.name(),
                      record -> record.filter(one -> isAsWanted(put, one)).isPresent());
          case NO_CONTENT -> was(asked, put.name(), Optional::isEmpty);
          case NO_DESIRED_STATE, TEMPLATE, OTHER_REQUIREMENTS -> true;
        };
    require(asked, holds, put.name() + " " + result);
  }

  private static boolean isAsWanted(UnitPut put, UnitRecord record) {
    return put.desired().filter(state -> state == record.desired()).isPresent()
        && put.file().filter(file -> !isOf(file, record)).isEmpty();
  }

  private void started(Asked asked, StartResult result) {
    UnitName unit =
        asked.command instanceof ClientRequest.Restart restart
            ? restart.unit()
            : ((ClientRequest.StartAgain) asked.command).unit();
    switch (result) {
      case ACCEPTED -> require(asked, asked.done.containsKey(unit), "accepted");
      case UNKNOWN -> require(asked, was(asked, unit, Optional::isEmpty), "unknown");
      case NOT_LAUNCHED ->
          require(
              asked,
              was(
                  asked,
                  unit,
                  record ->
                      record.filter(one -> one.desired() != DesiredState.LAUNCHED).isPresent()),
              "not launched");
      case RUNNING -> {
        if (!mayRun.test(unit) && !hasChangedSince(asked, unit)) {
          throw judge.violated(
              Rule.AS_ACKNOWLEDGED,
              asked.command.text() + ": it is said to run, and has not run for long");
        }
      }
    }
  }

  /** The answer may be about the unit before such a change. */
  private boolean hasChangedSince(Asked asked, UnitName unit) {
    return versions.getOrDefault(unit, List.of()).stream()
        .anyMatch(version -> version.revision() > asked.at);
  }

  private void shown(Asked asked, ClientRequest.Answer.Shown shown) {
    UnitName name = ((ClientRequest.Show) asked.command).unit();
    Optional<Unit> unit = shown.view().map(view -> view.unit());
    Predicate<Optional<UnitRecord>> isShown =
        record ->
            record.isPresent() == unit.isPresent()
                && (record.isEmpty() || isAsShown(record.get(), unit.orElseThrow()));
    String answer = "shown as " + unit.map(Ledger::shortly).orElse("not there");
    require(asked, was(asked, name, isShown) || wasOfLate(asked, name, isShown), answer);
  }

  /** The same as of some seconds ago, but for what this fleetd itself has acknowledged. */
  private boolean wasOfLate(Asked asked, UnitName unit, Predicate<Optional<UnitRecord>> holds) {
    Duration behind = isInTouch.test(asked.fleetd) ? BEHIND : BEHIND_A_CUT;
    List<Version> all = versions.getOrDefault(unit, List.of());
    for (int i = all.size() - 1; i >= 0; i--) {
      Version version = all.get(i);
      if (holds.test(version.record())) {
        return true;
      }
      boolean isOld = judge.simulation().now() - version.at() > behind.toNanos();
      if (isOld || version.revision() <= asked.seen) {
        return false;
      }
    }
    return holds.test(Optional.empty());
  }

  private static String shortly(Unit unit) {
    return "%s, start %d of content %s"
        .formatted(unit.desired().text(), unit.restartCounter(), unit.incarnation().id());
  }

  private static boolean isAsShown(UnitRecord record, Unit unit) {
    return record.incarnation().equals(unit.incarnation())
        && record.desired() == unit.desired()
        && record.restartCounter() == unit.restartCounter();
  }

  /** Whether the store said so at some moment since it was asked. */
  private boolean was(Asked asked, UnitName unit, Predicate<Optional<UnitRecord>> holds) {
    List<Version> all = versions.getOrDefault(unit, List.of());
    for (int i = all.size() - 1; i >= 0; i--) {
      if (holds.test(all.get(i).record())) {
        return true;
      }
      if (all.get(i).revision() <= asked.at) {
        return false;
      }
    }
    return holds.test(Optional.empty());
  }

  private void require(Asked asked, boolean holds, String answer) {
    if (!holds) {
      throw judge.violated(
          Rule.AS_ACKNOWLEDGED,
          "%s: answered '%s', which it was at no time since revision %d"
              .formatted(asked.command.text(), answer, asked.at));
    }
  }
}
