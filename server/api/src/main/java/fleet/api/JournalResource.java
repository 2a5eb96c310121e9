package fleet.api;

import fleet.api.journal.JournalQuestion;
import fleet.api.journal.MergedJournal;
import fleet.api.journal.UnitLocations;
import fleet.cluster.Cluster;
import fleet.cluster.UnitView;
import fleet.core.question.JournalFilter;
import fleet.core.question.Question;
import fleet.core.question.Question.JournalEntries;
import fleet.core.requirements.Glob;
import fleet.core.unit.UnitName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The journals of several units, or the audit logs of all servers, as one, an entry a line: as
 * {@code journalctl --output=json} has it, with machine and unit.
 */
final class JournalResource {

  private static final int BATCH = 16 << 10;
  private static final int DEFAULT_LINES = 10;
  private static final int DEFAULT_ENTRIES = 100;
  private static final Pattern AFTER = Pattern.compile("([^:]+):([A-Za-z0-9=;_-]+)");

  private final Duration heartbeat;

  JournalResource(Duration heartbeat) {
    this.heartbeat = heartbeat;
  }

  /** A POST takes the parameters as a form: the positions of all machines make a long query. */
  void answer(Exchange exchange) throws IOException {
    JournalQuestion question = question(exchange.withForm());
    Cluster cluster = exchange.cluster();
    UnitLocations holders = new UnitLocations(cluster, question);
    List<UnitView> units = holders.units();
    expectAll(question, units);
    Map<String, Set<UnitName>> machines = holders.machines(units);
    if (machines.isEmpty() && !question.follow()) {
      throw nowhere(question, units);
    }
    List<String> nowhere =
        holders.nowhere(units, machines).stream().map(MergedJournal::onNoMachine).toList();
    send(exchange, question, machines, nowhere);
  }

  /** The audit logs of all servers as one: an entry a line, as the journal has them. */
  void audit(Exchange exchange) throws IOException {
    Optional<Instant> since = exchange.parameter("since").map(text -> time("since", text));
    int lines = since.isPresent() ? JournalEntries.ALL : DEFAULT_ENTRIES;
    JournalQuestion question =
        new JournalQuestion(
            List.of(),
            List.of(),
            exchange.parameter("lines").map(JournalResource::lines).orElse(lines),
            since,
            after(exchange.parameters("after")),
            exchange.flag("follow"),
            true,
            "",
            JournalFilter.NONE,
            Optional.of(
                new JournalQuestion.Audit(
                    exchange.parameter("subject").orElse(""),
                    exchange.parameter("unit").orElse(""))));
    Cluster cluster = exchange.cluster();
    List<String> away =
        cluster.absences().machines().stream()
            .map(absent ->
                "machine %s is away: if it is a server, what it has decided is missing here"
                    .formatted(absent.machine()))
            .toList();
    send(exchange, question, new UnitLocations(cluster, question).machines(List.of()), away);
  }

  private void send(
      Exchange exchange,
      JournalQuestion question,
      Map<String, Set<UnitName>> machines,
      List<String> missing)
      throws IOException {
    try (MergedJournal journal =
            new MergedJournal(exchange.cluster(), question, machines, missing, heartbeat);
        OpenStream out = new OpenStream(exchange, journal::close)) {
      out.beginCommand(Exchange.LINES_OF_JSON);
      copy(journal, out);
      out.finish(journal.isComplete() ? 0 : 1);
    }
  }

  private static void copy(MergedJournal from, OpenStream to) throws IOException {
    ByteArrayOutputStream batch = new ByteArrayOutputStream(BATCH);
    try {
      for (var line = from.next(); line.isPresent() && !to.ended(); line = from.next()) {
        batch.writeBytes(line.get());
        if (batch.size() >= BATCH || !from.hasNext()) {
          to.write(batch);
          batch.reset();
        }
      }
    } catch (InterruptedException e) {
      throw new IOException("ended before the answer did", e);
    }
    to.expectWhole();
  }

  private static void expectAll(JournalQuestion question, List<UnitView> units) {
    Set<UnitName> found =
        units.stream().map(view -> view.unit().name()).collect(Collectors.toSet());
    for (UnitName name : question.names()) {
      if (!found.contains(name)) {
        throw new RefusedException(404, "unit " + name + " does not exist");
      }
    }
    for (Glob pattern : question.patterns()) {
      if (found.stream().noneMatch(name -> pattern.matches(name.value()))) {
        throw new RefusedException(404, "no unit matches " + pattern);
      }
    }
  }

  private static RefusedException nowhere(JournalQuestion question, List<UnitView> units) {
    if (!question.machine().isEmpty()) {
      return new RefusedException(
          409, "no machine " + question.machine() + " has any of these units");
    }
    return new RefusedException(
        409,
        units.size() == 1
            ? MergedJournal.onNoMachine(units.getFirst())
            : "none of the " + units.size() + " units is on a machine");
  }

  private static JournalQuestion question(Exchange exchange) {
    UnitSelection units = UnitSelection.of(exchange.parameters("unit"));
    if (units.isEmpty()) {
      throw RefusedException.badRequest("no unit was named: unit=<name or pattern>");
    }
    Optional<Instant> since = exchange.parameter("since").map(text -> time("since", text));
    JournalFilter filter = filter(exchange);
    boolean limited = since.isPresent() || filter.boot() || filter.searches();
    int lines = limited ? JournalEntries.ALL : DEFAULT_LINES;
    JournalQuestion question =
        new JournalQuestion(
            List.copyOf(units.names()),
            units.patterns(),
            exchange.parameter("lines").map(JournalResource::lines).orElse(lines),
            since,
            after(exchange.parameters("after")),
            exchange.flag("follow"),
            exchange.flag("whole"),
            exchange.parameter("machine").orElse(""),
            filter,
            Optional.empty());
    expectPossible(question);
    return question;
  }

  private static JournalFilter filter(Exchange exchange) {
    return RefusedException.ifInvalid(() ->
        new JournalFilter(
            exchange.parameter("priority").orElse(""),
            exchange.parameter("grep").orElse(""),
            exchange.parameter("until").map(text -> time("until", text)),
            exchange.flag("boot")));
  }

  /** Refuses what every machine would refuse. */
  private static void expectPossible(JournalQuestion question) {
    var _ =
        RefusedException.ifInvalid(() ->
            question.asked(
                new JournalEntries(
                    List.of(),
                    question.lines(),
                    question.since(),
                    "",
                    question.follow(),
                    question.whole())));
  }

  private static int lines(String text) {
    return text.equals("all") ? JournalEntries.ALL : QuestionsResource.lines(text);
  }

  private static Instant time(String name, String text) {
    try {
      return Question.time(name, Instant.parse(text));
    } catch (IllegalArgumentException e) {
      throw RefusedException.badRequest(String.valueOf(e.getMessage()));
    } catch (DateTimeParseException e) {
      throw RefusedException.badRequest(
          "invalid " + name + " \"" + text + "\": expected a time such as 2026-01-31T12:00:00Z");
    }
  }

  private static Map<String, String> after(List<String> texts) {
    Map<String, String> after = new HashMap<>();
    for (String text : texts) {
      var parts = AFTER.matcher(text);
      if (!parts.matches()) {
        throw RefusedException.badRequest(
            "invalid after \"" + text + "\": expected <machine>:<cursor>");
      }
      after.put(parts.group(1), parts.group(2));
    }
    return after;
  }
}
