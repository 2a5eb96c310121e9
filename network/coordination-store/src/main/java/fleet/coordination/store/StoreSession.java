package fleet.coordination.store;

import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.registry.Lease;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A machine's membership of a cluster that shares a store: its parts, on one loop. Safe for use by
 * many threads.
 */
final class StoreSession implements AgentCoordination.Session {

  private static final Logger log = LoggerFactory.getLogger(StoreSession.class);

  private final SharedRegistry registry;
  private final EventLoop loop;
  private final StoreWork work;
  private final ScheduleFollower follower;
  private final Answerer answerer;
  private final Consumer<String> onFatal;
  private final AtomicBoolean open = new AtomicBoolean(true);
  private final MachineRegistration presence;
  private final ReportWriter reports;
  private Machine machine;
  private @Nullable ScheduleFeed schedule;
  private @Nullable QuestionWatch questions;
  private @Nullable StoreBidder offers;
  private boolean failed;

  StoreSession(
      SharedRegistry registry,
      EventLoop loop,
      Machine machine,
      Duration ttl,
      Supplier<Optional<String>> objection,
      ScheduleFollower follower,
      Answerer answerer,
      Consumer<String> onFatal) {
    this.registry = registry;
    this.loop = loop;
    this.machine = machine;
    this.follower = follower;
    this.answerer = answerer;
    this.onFatal = onFatal;
    this.work = new StoreWork(loop, this::fail);
    this.presence =
        new MachineRegistration(
            loop,
            work,
            registry,
            machine,
            ttl,
            new RegistrationWriter(registry, ttl, objection, loop::nanoTime),
            new PresenceEvents(),
            this::fail);
    this.reports =
        new ReportWriter(loop, work, registry, machine.id(), this::isScheduled, presence::doubt);
  }

  private boolean isScheduled(UnitName unit) {
    return schedule != null && schedule.has(unit);
  }

  /** The first fault ends the session; the process must not continue with half of it. */
  private void fail(String why) {
    if (!failed) {
      failed = true;
      log.error("{}", why);
      onFatal.accept(why);
    }
  }

  @Override
  public void report(List<AgentReport> told) {
    List<AgentReport> kept = List.copyOf(told);
    loop.post(() -> reports.report(kept));
  }

  @Override
  public void present(Machine changed) {
    loop.post(() -> {
      machine = changed;
      presence.present(changed);
      if (schedule != null) {
        schedule.present(changed);
      }
    });
  }

  @Override
  public void leave(boolean emptied) {
    depart(departure -> departure.carryOut(emptied));
  }

  @Override
  public void moveOn() {
    depart(Departure::carryOutUnsaid);
  }

  private void depart(Consumer<Departure> way) {
    if (!open.compareAndSet(true, false)) {
      return;
    }
    Optional<Departure> departure =
        loop.call(() -> {
          Optional<Departure> begun = presence.leave();
          end();
          return begun;
        });
    loop.close();
    try {
      departure.ifPresent(way);
      log.info("coordination: machine {} has left the cluster", machine.id());
    } catch (RegistryException e) {
      log.warn(
          "coordination: the cluster did not hear that this machine leaves; it will notice the"
              + " silence: {}",
          e.getMessage());
    }
  }

  /** {@inheritDoc} That one has the whole time of the lease to come. */
  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      Optional<Lease> lease =
          loop.call(() -> {
            Optional<Lease> held = presence.lease();
            presence.close();
            end();
            return held;
          });
      loop.close();
      lease.ifPresent(StoreSession::renewOnceMore);
    }
  }

  private static void renewOnceMore(Lease lease) {
    try {
      boolean lives = lease.renew();
      log.debug("coordination: this machine's lease lives on: {}", lives);
    } catch (RegistryException e) {
      log.debug("coordination: the next fleetd has what is left of the lease", e);
    }
  }

  private void end() {
    work.close();
    if (schedule != null) {
      schedule.close();
    }
    if (questions != null) {
      questions.close();
    }
    if (offers != null) {
      offers.close();
    }
  }

  private final class PresenceEvents implements MachineRegistration.Listener {

    /** The stay whose schedule is yet to be read, by an agent that knows an earlier one. */
    private @Nullable MachineLease behind;

    /** The time of the last acknowledged message. */
    private long saidAt;

    /**
     * The schedule is read after the record: units that the cluster gave to others while this
     * machine was away are not in it any more. An agent with an older schedule gets the new one
     * first, and then the acknowledgement.
     */
    @Override
    public void joined(MachineLease membership) {
      reports.joined(membership);
      if (schedule == null) {
        schedule =
            new ScheduleFeed(
                loop, work, registry, machine, follower, reports::scheduleChanged, this::failed);
      } else {
        behind = membership;
        schedule.catchUp(() -> caughtUp(membership));
      }
      if (questions == null) {
        questions =
            new QuestionWatch(
                loop, work, registry, machine.id(), membership, answerer, this::failed);
      } else {
        questions.joined(membership);
      }
      if (offers == null) {
        offers =
            new StoreBidder(loop, work, registry, machine.id(), membership, answerer, this::failed);
      } else {
        offers.joined(membership);
      }
    }

    private void failed(String why) {
      fail(why);
    }

    private void caughtUp(MachineLease membership) {
      if (membership.is(behind)) {
        behind = null;
        follower.acknowledged(Duration.ofNanos(loop.nanoTime() - saidAt));
      }
    }

    @Override
    public void acknowledged(Duration ago) {
      if (behind == null) {
        follower.acknowledged(ago);
      } else {
        saidAt = loop.nanoTime() - ago.toNanos();
      }
    }

    @Override
    public void lost() {
      behind = null;
      reports.lost();
      if (questions != null) {
        questions.lost();
      }
      if (offers != null) {
        offers.lost();
      }
    }
  }
}
