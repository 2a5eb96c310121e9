package fleet.fleetctl.journal;

import fleet.entities.InvalidJsonException;
import fleet.entities.JournalEntry;
import fleet.entities.JournalPosition;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.Backoff;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineDirectory;
import fleet.fleetctl.client.UnreachableException;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpLines;
import fleet.fleetctl.output.Output;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Reads merged journals and writes them, no faster than the output takes them. If fleetd breaks
 * off, it says so and resumes after the last entry of each machine. For one thread.
 */
public final class JournalPrinter {

  /** How long to wait for a journal that is not followed. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final int UNAVAILABLE = 503;

  private final FleetClient client;
  private final Source source;
  private final Output output;
  private final JournalRequest request;
  private final Optional<Function<JournalEntry, String>> text;
  private final MachineDirectory machines;
  private final Map<String, String> places = new HashMap<>();
  private final Instant begun = Instant.now();
  private final Backoff backoff = new Backoff();

  /** The source of entries. */
  @FunctionalInterface
  public interface Source {
    /** Sends the request; empty if this fleetd does not know it. */
    Optional<HttpAnswer> open(String form) throws FleetException;
  }

  /**
   * Sends nothing yet.
   *
   * @param text writes the entries; empty to have them as they come
   */
  public JournalPrinter(
      FleetClient client,
      Source source,
      Output output,
      JournalRequest request,
      Optional<Function<JournalEntry, String>> text) {
    this.client = client;
    this.source = source;
    this.output = output;
    this.request = request;
    this.text = text;
    this.machines = new MachineDirectory(client, false, output.isTerminal());
  }

  /**
   * Reads to the end, which a followed journal does not have.
   *
   * @return whether it was complete; empty if this fleetd merges no journals
   * @throws FleetException if fleetd refuses, or never answered
   */
  public Optional<Boolean> run() throws FleetException {
    Optional<HttpAnswer> first = source.open(request.form(places, Optional.empty()));
    if (first.isEmpty()) {
      return Optional.empty();
    }
    // It may be told of a machine that it is lost once it is not registered any more.
    machines.learn();
    Optional<Boolean> complete = readOnce(first.get());
    while (complete.isEmpty()) {
      complete = readOnce(again());
    }
    return complete;
  }

  /** Whether it was complete; empty if it broke off. */
  private Optional<Boolean> readOnce(HttpAnswer opened) {
    try (HttpAnswer stream = opened) {
      read(stream);
      return Optional.of(exitStatus(stream).equals("0"));
    } catch (IOException e) {
      output.problem(
          "fleetd at %s broke off: %s; the journal continues when it answers again"
              .formatted(client.endpoint(), e.getMessage()));
      return Optional.empty();
    }
  }

  private static String exitStatus(HttpAnswer stream) {
    return stream.headerOrTrailer("fleet-exit-status").orElse("0");
  }

  /** Repeats the request after the last entries, as soon as a server answers. */
  private HttpAnswer again() throws FleetException {
    long since = System.nanoTime();
    while (true) {
      if (!backoff.pause()) {
        throw new UnreachableException("interrupted", new InterruptedException());
      }
      try {
        Optional<HttpAnswer> stream = source.open(request.form(places, Optional.of(begun)));
        if (stream.isPresent()) {
          return stream.get();
        }
      } catch (UnreachableException e) {
        giveUpAfter(since, e);
      } catch (ApiException e) {
        if (e.code() != UNAVAILABLE) {
          throw e;
        }
        giveUpAfter(since, e);
      }
    }
  }

  private void giveUpAfter(long since, FleetException e) throws FleetException {
    if (!request.follow() && System.nanoTime() - since > PATIENCE_NANOS) {
      throw e;
    }
  }

  private void read(HttpAnswer stream) throws IOException {
    HttpLines lines = new HttpLines(stream.stream());
    for (var line = lines.next(); line.isPresent(); line = lines.next()) {
      if (line.get().length > 0) {
        take(line.get());
      }
      if (!lines.hasMore()) {
        output.flush();
      }
    }
    if (request.follow()) {
      throw new IOException("the journal ended although it was to be followed");
    }
  }

  private void take(byte[] line) throws IOException {
    backoff.reset();
    JournalEntry entry;
    try {
      entry = JournalEntry.parse(line);
    } catch (InvalidJsonException e) {
      throw new IOException(e.getMessage(), e);
    }
    String machine = entry.field(JournalEntry.MACHINE).orElse("");
    Optional<String> notice = entry.field(JournalEntry.NOTICE);
    if (notice.isPresent()) {
      output.problem(machines.in(who(machine) + notice.get()));
      return;
    }
    if (text.isPresent()) {
      output.colouredLine(text.get().apply(entry));
    } else {
      output.line(new String(line, StandardCharsets.UTF_8));
    }
    if (!entry.cursor().isEmpty()) {
      places.merge(machine, entry.cursor(), JournalPrinter::furtherOn);
    }
  }

  /** A newly placed unit's old entries come after newer entries of others. */
  private static String furtherOn(String before, String now) {
    return new JournalPosition(before).isAfter(new JournalPosition(now)) ? before : now;
  }

  private static String who(String machine) {
    return machine.isEmpty() ? "fleet: " : "machine " + machine + ": ";
  }
}
