package fleet.coordination.local;

import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.EngineCoordination;
import fleet.coordination.Leadership;
import fleet.coordination.PendingBid;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Coordination by plain calls, for an engine and its agent in one fleetd. Safe for use by many
 * threads: both sides only queue what they hear, so calls are passed on under the lock, which keeps
 * their order.
 */
public final class LocalCoordination implements AgentCoordination, EngineCoordination {

  private final Map<String, LocalSession> sessions = new HashMap<>();
  private @Nullable Listener listener;

  @Override
  public synchronized void lead(Leadership.Term term, Listener leader) {
    listener = leader;
    sessions.values().forEach(session -> leader.present(session.machine));
  }

  @Override
  public synchronized void retire() {
    listener = null;
  }

  @Override
  public synchronized Session join(Machine machine, ScheduleFollower follower, Answerer answerer) {
    var session = new LocalSession(machine, follower, answerer);
    sessions.put(machine.id(), session);
    if (listener != null) {
      listener.present(machine);
    }
    return session;
  }

  @Override
  public synchronized void snapshot(
      Machine machine, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone) {
    LocalSession session = sessions.get(machine.id());
    if (session != null) {
      session.follower.snapshot(machine, entries, leftAlone);
    }
  }

  @Override
  public synchronized void delta(
      String machine,
      Collection<ScheduleEntry> changed,
      Set<UnitName> removed,
      Set<UnitName> leftAlone) {
    LocalSession session = sessions.get(machine);
    if (session != null) {
      session.follower.delta(changed, removed, leftAlone);
    }
  }

  @Override
  public synchronized void offer(String machine, Offer offer) {
    LocalSession session = sessions.get(machine);
    if (session != null) {
      session.withdrawn(offer.unit());
      session.biddings.put(
          offer.unit(), session.answerer.bid(offer, bid -> bid(session, machine, bid)));
    }
  }

  @Override
  public synchronized void withdraw(String machine, UnitName unit) {
    LocalSession session = sessions.get(machine);
    if (session != null) {
      session.withdrawn(unit);
    }
  }

  private synchronized void bid(LocalSession session, String machine, Bid bid) {
    if (listener != null && sessions.get(machine) == session) {
      listener.bid(machine, bid);
    }
  }

  /** Answers end with those who read them. */
  @Override
  public void close() {}

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    LocalSession session;
    synchronized (this) {
      session = sessions.get(machine);
    }
    return Optional.ofNullable(session).map(asked -> asked.answerer.answer(question));
  }

  private synchronized void report(LocalSession session, List<AgentReport> reports) {
    if (listener != null && sessions.get(session.machine.id()) == session) {
      listener.reported(session.machine.id(), reports);
    }
  }

  private synchronized void present(LocalSession session, Machine machine) {
    session.machine = machine;
    if (listener != null) {
      listener.present(machine);
    }
  }

  private synchronized void leave(LocalSession session, boolean emptied) {
    List.copyOf(session.biddings.keySet()).forEach(session::withdrawn);
    if (sessions.remove(session.machine.id(), session) && listener != null) {
      listener.left(session.machine.id(), emptied, "its fleetd stopped");
    }
  }

  private final class LocalSession implements Session {
    private final ScheduleFollower follower;
    private final Answerer answerer;
    private final Map<UnitName, PendingBid> biddings = new HashMap<>();
    private Machine machine;

    LocalSession(Machine machine, ScheduleFollower follower, Answerer answerer) {
      this.machine = machine;
      this.follower = follower;
      this.answerer = answerer;
    }

    private void withdrawn(UnitName unit) {
      PendingBid bidding = biddings.remove(unit);
      if (bidding != null) {
        bidding.close();
      }
    }

    @Override
    public void report(List<AgentReport> reports) {
      LocalCoordination.this.report(this, List.copyOf(reports));
    }

    @Override
    public void present(Machine changed) {
      LocalCoordination.this.present(this, changed);
    }

    @Override
    public void leave(boolean emptied) {
      LocalCoordination.this.leave(this, emptied);
    }

    /** Without this process there is no cluster either, so nobody waits for the next one. */
    @Override
    public void close() {
      LocalCoordination.this.leave(this, false);
    }
  }
}
