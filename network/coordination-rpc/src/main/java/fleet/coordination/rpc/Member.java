package fleet.coordination.rpc;

import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MalformedMessageException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A machine at the leader, from its arrival until it is silent for too long. */
final class Member {

  /** More units than any machine has. */
  private static final int MOST_UNITS = 50_000;

  private Machine machine;
  private String session;
  private Duration ttl;
  private final HeartbeatTracker heartbeats;
  private long reportsTaken;
  private Optional<AgentStream> stream = Optional.empty();
  private boolean isAgent;

  /** Units of which something is said. */
  private final Set<UnitName> reported = new HashSet<>();

  /** Units that only an earlier fleetd of the machine has reported. */
  private final Set<UnitName> inherited = new HashSet<>();

  Member(Machine machine, String session, Duration ttl, long now) {
    this.machine = machine;
    this.session = session;
    this.ttl = ttl;
    this.heartbeats = new HeartbeatTracker(now);
  }

  Machine machine() {
    return machine;
  }

  void describe(Machine changed) {
    machine = changed;
  }

  Duration ttl() {
    return ttl;
  }

  /**
   * The machine speaks on another stream from now on.
   *
   * @return whether it is another fleetd than before
   */
  boolean takeOver(Machine described, String by, Duration silence, AgentStream on) {
    boolean another = !session.equals(by);
    if (another) {
      session = by;
      reportsTaken = 0;
      inherited.addAll(reported);
    }
    machine = described;
    ttl = silence;
    stream = Optional.of(on);
    isAgent = on.peer().filter(peer -> !peer.server()).isPresent();
    return another;
  }

  /** Whether its certificate, on its latest stream, is not that of a server. */
  boolean isAgent() {
    return isAgent;
  }

  Optional<AgentStream> stream() {
    return stream;
  }

  /** The same, for loops over thousands. */
  @Nullable AgentStream current() {
    return stream.orElse(null);
  }

  void lost(AgentStream ended) {
    if (stream.filter(ended::equals).isPresent()) {
      stream = Optional.empty();
    }
  }

  // ---- silence

  /** How long the machine may be silent, and what it does then, as its configuration says. */
  String silence() {
    return ttl.toMillis() / 1000.0 + " s, " + machine.isolation().text();
  }

  /** For those who hear it outside the loop. */
  HeartbeatTracker heartbeats() {
    return heartbeats;
  }

  void heard(long now) {
    boolean _ = heartbeats.beat(now);
  }

  /** Discounts time in which the leader could not hear. */
  void forgive(long nanos, long now) {
    heartbeats.forgive(nanos, now);
  }

  /** Gives it up if it has been silent for too long. */
  boolean endsBySilence(long now) {
    return heartbeats.endsAfter(ttl, now);
  }

  /** Before that it need not be looked at. */
  long endsAt() {
    return heartbeats.endsAt(ttl);
  }

  /** Whether it has missed its normal heartbeats. */
  boolean isDoubtful(long now) {
    return heartbeats.isSilentFor(ttl.dividedBy(2), now);
  }

  // ---- reports

  long reportsTaken() {
    return reportsTaken;
  }

  void taken(String by, long number) {
    if (session.equals(by)) {
      reportsTaken = Math.max(reportsTaken, number);
    }
  }

  /**
   * Takes over of which units something is said.
   *
   * @throws MalformedMessageException if those are more than a machine can have
   */
  void note(Collection<AgentReport> reports) throws MalformedMessageException {
    for (AgentReport report : reports) {
      inherited.remove(report.unit());
      switch (report) {
        case AgentReport.Stated _, AgentReport.Refused _ -> reported.add(report.unit());
        case AgentReport.Gone _, AgentReport.Freed _ -> reported.remove(report.unit());
      }
    }
    if (reported.size() > MOST_UNITS) {
      reported.clear();
      throw new MalformedMessageException("it reports more than %d units".formatted(MOST_UNITS));
    }
  }

  /** Takes the units that are not in the schedule and that only an earlier fleetd reported. */
  Set<UnitName> takeForgotten(OutgoingSchedule schedule) {
    Set<UnitName> forgotten = new HashSet<>(inherited);
    forgotten.removeIf(schedule::has);
    inherited.clear();
    reported.removeAll(forgotten);
    return forgotten;
  }
}
