package fleet.fleetctl.wait;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineDirectory;
import fleet.fleetctl.output.OrderedLines;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.EventFeed.Happened;
import fleet.fleetctl.wait.EventFeed.Lost;
import fleet.fleetctl.wait.EventFeed.Message;
import fleet.fleetctl.wait.EventFeed.Opened;
import fleet.fleetctl.wait.EventFeed.Unsupported;
import fleet.fleetctl.wait.Verdict.Announcement;
import fleet.fleetctl.wait.Verdict.Failed;
import fleet.fleetctl.wait.Verdict.FailedOnSome;
import fleet.fleetctl.wait.Verdict.Pending;
import fleet.fleetctl.wait.Verdict.Progress;
import fleet.fleetctl.wait.Verdict.Reached;
import fleet.fleetctl.wait.Verdict.Unsure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Waits for many units at once on one stream of events, and shows the progress. The wait outlives
 * the daemon: while fleetd does not answer, it says so and continues.
 */
public final class UnitWait {

  private static final long SECOND = 1_000_000_000L;
  private static final long TICK = SECOND;
  private static final long POLL = SECOND / 4;
  private static final long SOON = SECOND;

  /** Everything is read again at this interval, with or without events. */
  private static final long SAFETY = 30 * SECOND;

  /** How long a state must stand if the daemon does not say of which start it is. */
  private static final long SETTLED = 5 * SECOND;

  private final FleetClient client;
  private final Output output;
  private final FailureReport failures;
  private final long limit;

  /**
   * Prepares to wait.
   *
   * @param windows how many times two seconds to wait at most; 0 or less for as long as it takes
   */
  public UnitWait(FleetClient client, Output output, FailureReport failures, int windows) {
    this.client = client;
    this.output = output;
    this.failures = failures;
    this.limit = windows <= 0 ? Long.MAX_VALUE : windows * 2L * SECOND;
  }

  /**
   * Waits for all.
   *
   * @return the units that reached their goal; the reasons of the others were printed
   */
  public List<String> await(List<WaitTarget> targets) {
    if (targets.isEmpty()) {
      return List.of();
    }
    return new Round(targets).run();
  }

  private final class Round {
    private final Map<String, Follower> pending = new LinkedHashMap<>();
    private final List<String> reached = new ArrayList<>();
    private final OrderedLines lines;
    private final ProgressDisplay display;
    private final long start = System.nanoTime();
    private final int total;
    private final MachineDirectory machines =
        new MachineDirectory(client, false, output.isTerminal());
    private boolean polling;
    private long nextRead = start + SAFETY;
    private String silence = "";
    private boolean read;

    Round(List<WaitTarget> targets) {
      this.total = targets.size();
      this.lines = new OrderedLines(output, total);
      this.display = new ProgressDisplay(output, total, start);
      for (WaitTarget target : targets) {
        pending.put(target.unit(), new Follower(target, pending.size()));
      }
    }

    List<String> run() {
      List<String> units = List.copyOf(pending.keySet());
      try (Interruption interruption = new Interruption(this::interrupted);
          EventFeed feed = new EventFeed(client, units, List.of(SnapshotUpdates.LEFT))) {
        feed.start();
        while (!pending.isEmpty()) {
          step(feed);
        }
        interruption.over();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (IOException closingFailed) {
        return reached;
      } finally {
        output.clearStatus();
        lines.releaseAll();
      }
      return reached;
    }

    private void step(EventFeed feed) throws InterruptedException {
      long now = System.nanoTime();
      long left = limit == Long.MAX_VALUE ? TICK : start + limit - now;
      if (left <= 0) {
        giveUp();
        return;
      }
      long pause = Math.min(Math.min(TICK, left), Math.min(nextRead, nextSettled(now)) - now);
      Optional<Message> message = feed.next(pause);
      while (message.isPresent()) {
        handle(message.get());
        message = feed.next(0);
      }
      now = System.nanoTime();
      if (now - nextRead >= 0) {
        readAll();
        nextRead = System.nanoTime() + untilNextRead();
      }
      settle(now);
      tell(now);
    }

    private void handle(Message message) {
      switch (message) {
        case Opened opened -> {
          silence = "";
          nextRead = System.nanoTime();
        }
        case Happened happened -> apply(happened);
        case Lost lost -> silence = lost.why();
        case Unsupported unsupported -> {
          polling = true;
          nextRead = System.nanoTime();
        }
      }
    }

    private void apply(Happened happened) {
      // Events before the first reading are contained in it.
      SnapshotUpdates.unitOf(happened)
          .map(pending::get)
          .filter(follower -> follower.read)
          .ifPresent(follower -> apply(follower, happened));
    }

    /**
     * Events do not say which machines are to have a global unit, nor what has become of a machine
     * that kept a unit: it is read again.
     */
    private void apply(Follower follower, Happened happened) {
      Goal goal = follower.target.goal();
      if ((goal instanceof GlobalGoal && !happened.name().equals("state"))
          || (goal instanceof GoneGoal gone && !gone.keptOn().isEmpty())) {
        nextRead = System.nanoTime();
        return;
      }
      judge(follower, SnapshotUpdates.apply(follower.snapshot, happened));
      if (goal instanceof GoneGoal && happened.name().equals(SnapshotUpdates.STATE_GONE)) {
        readSoon();
      }
    }

    /** No event may follow: the machine is away, or has had the unit without a place there. */
    private void readSoon() {
      long soon = System.nanoTime() + SOON;
      if (soon - nextRead < 0) {
        nextRead = soon;
      }
    }

    private long untilNextRead() {
      if (polling) {
        return POLL;
      }
      // No event about the unit says that its machine is not awaited any more.
      return pending.values().stream().anyMatch(follower -> follower.snapshot.isAwaited())
          ? SOON
          : SAFETY;
    }

    private void readAll() {
      List<Follower> followers = List.copyOf(pending.values());
      List<UnitSnapshot> snapshots;
      try {
        snapshots = read(List.copyOf(pending.keySet()));
        silence = "";
      } catch (FleetException e) {
        silence = String.valueOf(e.getMessage());
        return;
      }
      for (int i = 0; i < followers.size(); i++) {
        judge(followers.get(i), snapshots.get(i));
      }
      read = true;
    }

    private List<UnitSnapshot> read(List<String> units) throws FleetException {
      List<Goal> goals = pending.values().stream().map(follower -> follower.target.goal()).toList();
      return MachinePresence.withPresence(client, goals, readUnits(units));
    }

    private List<UnitSnapshot> readUnits(List<String> units) throws FleetException {
      if (units.size() == 1) {
        return List.of(readAlone(units.getFirst()));
      }
      List<UnitSnapshot> snapshots = new ArrayList<>(UnitSnapshot.of(client, units));
      for (int i = 0; i < snapshots.size(); i++) {
        // A list does not say which machines are to have a global unit.
        if (Objects.requireNonNull(pending.get(units.get(i))).target.goal() instanceof GlobalGoal) {
          snapshots.set(i, readAlone(units.get(i)));
        }
      }
      return snapshots;
    }

    private UnitSnapshot readAlone(String unit) throws FleetException {
      return UnitSnapshot.of(client, unit);
    }

    private void judge(Follower follower, UnitSnapshot snapshot) {
      follower.snapshot = snapshot;
      follower.read = true;
      take(follower, follower.target.goal().judge(snapshot));
    }

    private void take(Follower follower, Verdict verdict) {
      long now = System.nanoTime();
      switch (verdict) {
        case Pending pendingVerdict -> {
          pendingVerdict.announcement().ifPresent(said -> announce(follower, said));
          follower.progress(pendingVerdict.progress());
        }
        case Unsure unsure -> follower.unsure(unsure, now);
        case Reached done -> {
          announce(follower, done.announcement());
          if (!done.note().isEmpty()) {
            output.problem("Unit " + follower.target.unit() + " " + done.note());
          }
          reached.add(follower.target.unit());
          pending.remove(follower.target.unit());
        }
        case Failed failed -> fail(follower, failed);
        case FailedOnSome failed -> {
          dismiss(follower);
          failures.tell(follower.target.unit(), failed, machines::of);
        }
      }
    }

    private void announce(Follower follower, Announcement said) {
      if (said.state().isEmpty()) {
        lines.skip(follower.index);
        return;
      }
      String unit = follower.target.unit();
      String line =
          said.state().equals("destroyed")
              ? "Destroyed " + unit
              : "Unit " + unit + " " + said.state() + on(said.machine());
      lines.line(follower.index, line);
    }

    private String on(String machine) {
      return machine.isEmpty() ? "" : " on " + machines.of(machine);
    }

    private void fail(Follower follower, Failed failed) {
      failed.announcement().ifPresent(said -> announce(follower, said));
      dismiss(follower);
      failures.tell(follower.target.unit(), failed.why().line(machines::of), failed.machine());
    }

    private void dismiss(Follower follower) {
      lines.skip(follower.index);
      pending.remove(follower.target.unit());
    }

    private void settle(long now) {
      for (Follower follower : List.copyOf(pending.values())) {
        if (follower.settledAt() - now <= 0) {
          take(follower, follower.likely());
        }
      }
    }

    private long nextSettled(long now) {
      long next = now + TICK;
      for (Follower follower : pending.values()) {
        if (follower.settledAt() - next < 0) {
          next = follower.settledAt();
        }
      }
      return next;
    }

    private void tell(long now) {
      if (!silence.isEmpty()) {
        display.notice("fleetd does not answer, waiting: " + silence, now);
        return;
      }
      if (read) {
        display.update(pending.keySet(), this::progressOf, now);
      }
    }

    private String progressOf(String unit) {
      return Objects.requireNonNull(pending.get(unit)).progress.line(machines::of);
    }

    private void giveUp() {
      for (Follower follower : pending.values()) {
        lines.skip(follower.index);
        failures.timedOut(
            follower.target.unit(),
            follower.target.goal().state(),
            follower.progress.line(machines::of));
      }
      pending.clear();
    }

    /** Runs on another thread, while the process ends. */
    private void interrupted() {
      output.clearStatus();
      lines.releaseAll();
      List<Follower> left = List.copyOf(pending.values());
      if (!left.isEmpty()) {
        String others = left.size() == 1 ? "" : " (" + (left.size() - 1) + " more likewise)";
        WaitTarget first = left.getFirst().target;
        UnitSnapshot last = left.getFirst().snapshot;
        String see = Reports.isWaiting(last) ? "why " + first.unit() : "list-units";
        output.problem(
            "Interrupted: "
                + (first.unit() + " " + first.goal().whenInterrupted(last) + others)
                + ("; see: fleetctl " + see));
      }
    }
  }

  /** One unit in the middle of its wait. */
  private static final class Follower {
    private static final long NEVER = Long.MAX_VALUE / 2;

    private final WaitTarget target;
    private final int index;
    private UnitSnapshot snapshot = UnitSnapshot.NOTHING;
    private boolean read;
    private Progress progress = Progress.of("asking fleetd");
    private Optional<Unsure> unsure = Optional.empty();
    private long unsureSince;

    Follower(WaitTarget target, int index) {
      this.target = target;
      this.index = index;
    }

    void progress(Progress now) {
      progress = now;
      unsure = Optional.empty();
    }

    void unsure(Unsure now, long at) {
      progress = now.progress();
      if (!unsure.equals(Optional.of(now))) {
        unsure = Optional.of(now);
        unsureSince = at;
      }
    }

    long settledAt() {
      return unsure.isPresent() ? unsureSince + SETTLED : System.nanoTime() + NEVER;
    }

    Verdict likely() {
      return unsure.orElseThrow().likely();
    }
  }
}
