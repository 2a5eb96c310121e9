package fleet.fleetctl.command;

import fleet.core.text.SingleLine;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.ExitHook;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.output.TerminalSize;
import fleet.fleetctl.table.InvalidExpressionException;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import fleet.fleetctl.wait.EventFeed;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Shows a list of units or machines until Ctrl-C. An event of one of them has the list read again,
 * at most five times a second. A terminal is repainted; files and pipes get the things that
 * changed. A fleetd that goes away is waited for.
 */
final class WatchedListing<T> {

  /**
   * A list as it was read.
   *
   * @param listing for now, since ages grow
   */
  record Found<T>(List<T> things, Supplier<Listing<T>> listing) {}

  /** Reads the list from fleetd. */
  interface Source<T> {
    Found<T> read() throws CommandException, FleetException;
  }

  private static final long PAUSE_MILLIS = 200;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Ages change by themselves; nothing is asked of fleetd for that. */
  private static final long REPAINT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final String HOME = "\033[H";
  private static final String EMPTY_LINE = "\033[2K";
  private static final String REST = "\033[J";
  private static final String CLEAR = "\033[2J";

  private final FleetClient client;
  private final Output output;
  private final TerminalSize size;
  private final ListingView view;
  private final List<String> units;
  private final List<String> events;
  private final Source<T> source;
  private Set<T> before = Set.of();
  private boolean first = true;
  private String clear = CLEAR;
  private Optional<Found<T>> found = Optional.empty();

  /** Whether the list may have changed since it was read. */
  private boolean outdated;

  /**
   * @param units names and patterns; all units if there are none
   * @param events names of events besides those of units
   */
  WatchedListing(
      FleetClient client,
      Output output,
      TerminalSize size,
      ListingView view,
      List<String> units,
      List<String> events,
      Source<T> source) {
    this.client = client;
    this.output = output;
    this.size = size;
    this.view = view;
    this.units = units;
    this.events = events;
    this.source = source;
  }

  /** Shows a list on this terminal, as the constructor and {@link #run()} say. */
  static <T> int run(
      CommandEnvironment session,
      FleetClient client,
      ListingView view,
      List<String> units,
      List<String> events,
      Source<T> source)
      throws CommandException, FleetException {
    TerminalSize size = TerminalSize.of(session.environment());
    return new WatchedListing<>(client, session.output(), size, view, units, events, source).run();
  }

  /** Shows the list; ends with an exception, or with the program. */
  int run() throws CommandException, FleetException {
    try (ExitHook _ = output.endingCleanly();
        EventFeed feed = new EventFeed(client, units, events)) {
      feed.start();
      while (true) {
        take(feed.next(outdated ? RETRY_NANOS : REPAINT_NANOS));
        if (outdated) {
          // Many events have one cause.
          Thread.sleep(PAUSE_MILLIS);
          for (var more = feed.next(0); more.isPresent(); more = feed.next(0)) {
            take(more);
          }
          readAgain();
        }
        show();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILED;
    } catch (IOException e) {
      throw CommandException.failed("Error: the stream of events broke off: " + e.getMessage());
    }
  }

  private void take(Optional<EventFeed.Message> message) throws CommandException {
    if (message.isEmpty()) {
      return;
    }
    switch (message.get()) {
      case EventFeed.Opened _, EventFeed.Happened _ -> outdated = true;
      case EventFeed.Lost(String why) -> waiting(why);
      case EventFeed.Unsupported _ ->
          throw CommandException.failed(client.outdated("is too old to tell events"));
    }
  }

  private void readAgain() throws CommandException, FleetException {
    try {
      found = Optional.of(source.read());
      outdated = false;
    } catch (FleetException e) {
      // A fleetd that never answered is not waited for.
      if (found.isEmpty() || !e.mayPass()) {
        throw e;
      }
      waiting(String.valueOf(e.getMessage()));
    }
  }

  private void waiting(String why) {
    output.status("fleetd does not answer, waiting: " + why);
  }

  private void show() throws CommandException {
    if (found.isEmpty()) {
      return;
    }
    try {
      if (output.isTerminal() && view.isTable()) {
        paint(view.text(found.get().listing().get(), found.get().things()).lines().toList());
      } else {
        append(found.get());
      }
    } catch (InvalidExpressionException e) {
      throw ListingOptions.invalid(e);
    }
    output.flush();
  }

  private void paint(List<String> lines) {
    int room = size.rows() - 1;
    StringBuilder text = new StringBuilder(clear).append(HOME);
    for (String line : lines.subList(0, Math.min(lines.size(), room))) {
      text.append(EMPTY_LINE).append(SingleLine.of(line)).append('\n');
    }
    text.append(EMPTY_LINE);
    if (lines.size() > room) {
      text.append(lines.size() - room).append(" more lines");
    }
    output.screen(text.append(REST).toString());
    clear = "";
  }

  private void append(Found<T> list) throws InvalidExpressionException {
    List<T> changed = list.things().stream().filter(thing -> !before.contains(thing)).toList();
    if (first || !changed.isEmpty()) {
      output.text(view.streamed(list.listing().get(), changed, first));
    }
    first = false;
    before = new HashSet<>(list.things());
  }
}
