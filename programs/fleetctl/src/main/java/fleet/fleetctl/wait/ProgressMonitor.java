package fleet.fleetctl.wait;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.wait.EventFeed.Lost;
import fleet.fleetctl.wait.EventFeed.Message;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows an operation of the cluster, poll by poll, until it is over or the wait ends. It outlives
 * the daemon, as {@link UnitWait} does. For one use.
 */
final class ProgressMonitor {

  private static final long SECOND = 1_000_000_000L;

  /** Everything is read again at this interval, with or without events. */
  private static final long SAFETY = 5 * SECOND;

  /** The least time between two looks, since a busy cluster has many unrelated events. */
  private static final long APART = SECOND / 5;

  private final FleetClient client;
  private final Output output;
  private final List<String> events;
  private final long limit;
  private final long start = System.nanoTime();
  private @Nullable ProgressDisplay display;
  private String silence = "";
  private long looked;

  interface Subject {

    /** Reads the progress, and reports what is new; returns whether it is over. */
    boolean isOver() throws FleetException;

    /** Units that are not done yet, with what they wait for, as of the last look. */
    Map<String, String> pending();

    /** A notice in place of the pending units; empty for none. */
    default String notice() {
      return "";
    }

    /** Tells people how it continues unattended, and how to follow it again. */
    String goesOn();
  }

  /**
   * @param events names of events that tell of it, besides those of units
   * @param windows how many times two seconds to wait at most; 0 or less for as long as it takes
   */
  ProgressMonitor(FleetClient client, Output output, List<String> events, int windows) {
    this.client = client;
    this.output = output;
    this.events = events;
    this.limit = windows <= 0 ? Long.MAX_VALUE : windows * 2L * SECOND;
  }

  /** Returns whether it has come to its end. */
  boolean follow(Subject subject) {
    try (Interruption interruption =
            new Interruption(() -> leave("Interrupted. " + subject.goesOn()));
        EventFeed feed = new EventFeed(client, List.of(), events)) {
      feed.start();
      boolean over = isOver(subject);
      while (!over && System.nanoTime() - start < limit) {
        tell(subject);
        awaitNews(feed);
        over = isOver(subject);
      }
      if (!over) {
        giveUp(subject);
      }
      interruption.over();
      return over;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (IOException closingFailed) {
      return true;
    } finally {
      output.clearStatus();
    }
  }

  private boolean isOver(Subject subject) {
    try {
      looked = System.nanoTime();
      boolean over = subject.isOver();
      silence = "";
      return over;
    } catch (FleetException e) {
      silence = String.valueOf(e.getMessage());
      return false;
    }
  }

  /** Events that come together cause one look. */
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

  private void tell(Subject subject) {
    long now = System.nanoTime();
    Map<String, String> pending = subject.pending();
    if (display == null) {
      display = new ProgressDisplay(output, pending.size(), start);
    }
    if (!silence.isEmpty()) {
      display.notice("fleetd does not answer, waiting: " + silence, now);
    } else if (!subject.notice().isEmpty()) {
      display.notice(subject.notice(), now);
    } else {
      display.update(
          List.copyOf(pending.keySet()),
          unit -> Objects.requireNonNullElse(pending.get(unit), ""),
          now);
    }
  }

  private void giveUp(Subject subject) {
    output.clearStatus();
    subject.pending().forEach((unit, why) -> output.problem("Timed out: unit " + unit + " " + why));
    output.problem(subject.goesOn());
  }

  /** Runs on another thread, while the process ends. */
  private void leave(String farewell) {
    output.clearStatus();
    output.problem(farewell);
  }
}
