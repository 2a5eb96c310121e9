package fleet.registry.records;

import fleet.core.question.JournalFilter;
import fleet.core.question.KillSignal;
import fleet.core.question.Question;
import fleet.core.question.UnitVerb;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.time.Duration;
import java.util.Optional;

/**
 * The value of {@code question/<machine>/<id>}, there as long as somebody reads the answer.
 *
 * @param taken how many pieces of the answer the reader has taken
 */
public record QuestionRecord(Question question, long taken, UnknownFields unknown) {

  private static final String STATUS = "status";
  private static final String JOURNAL = "journal";
  private static final String JOURNAL_ENTRIES = "journal-entries";
  private static final String FILTERED_ENTRIES = "filtered-entries";
  private static final String AUDIT = "audit";
  private static final String USAGE = "usage";
  private static final String ORDER = "order";

  public QuestionRecord(Question question) {
    this(question, 0, UnknownFields.NONE);
  }

  public static QuestionRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    try {
      return new QuestionRecord(question(fields), fields.number("taken"), fields.rest());
    } catch (IllegalArgumentException e) {
      throw new RegistryException(
          "value of key %s in the registry: %s".formatted(entry.key(), e.getMessage()), e);
    }
  }

  private static Question question(FieldReader fields) {
    String kind = fields.text("kind");
    return switch (kind) {
      case STATUS ->
          new Question.Status(fields.unit("unit", fields.text("unit")), fields.truth("colour"));
      case JOURNAL ->
          new Question.Journal(
              fields.unit("unit", fields.text("unit")),
              fields.count("lines"),
              fields.truth("follow"),
              fields.text("output"));
      case JOURNAL_ENTRIES -> entries(fields);
      case FILTERED_ENTRIES -> new Question.FilteredEntries(entries(fields), filter(fields));
      case AUDIT ->
          new Question.Audit(entries(fields), fields.text("subject"), fields.text("target"));
      case USAGE ->
          new Question.Usage(
              fields.truth("units"),
              Duration.ofMillis(fields.number("intervalMillis")),
              fields.count("samples"));
      case ORDER -> systemctl(fields);
      default -> throw fields.wrong("kind", "has the unknown value " + kind);
    };
  }

  private static Question.Systemctl systemctl(FieldReader fields) {
    String verb = fields.text("verb");
    return new Question.Systemctl(
        fields.unit("unit", fields.text("unit")),
        UnitVerb.ofText(verb)
            .orElseThrow(() -> fields.wrong("verb", "has the unknown value " + verb)),
        fields.has("signal")
            ? Optional.of(new KillSignal(fields.text("signal"), fields.text("whom")))
            : Optional.empty());
  }

  private static Question.JournalEntries entries(FieldReader fields) {
    return new Question.JournalEntries(
        fields.texts("units").stream().map(name -> fields.unit("units", name)).toList(),
        fields.count("lines"),
        fields.has("since") ? Optional.of(fields.instant("since")) : Optional.empty(),
        fields.text("after"),
        fields.truth("follow"),
        fields.truth("whole"));
  }

  private static JournalFilter filter(FieldReader fields) {
    return new JournalFilter(
        fields.text("priority"),
        fields.text("grep"),
        fields.has("until") ? Optional.of(fields.instant("until")) : Optional.empty(),
        fields.truth("boot"));
  }

  public String json() {
    FieldWriter fields = new FieldWriter().put("taken", taken);
    switch (question) {
      case Question.Status status ->
          fields
              .put("kind", STATUS)
              .put("unit", status.unit().value())
              .put("colour", status.colour());
      case Question.Journal journal ->
          fields
              .put("kind", JOURNAL)
              .put("unit", journal.unit().value())
              .put("lines", journal.lines())
              .put("follow", journal.follow())
              .put("output", journal.output());
      case Question.JournalEntries entries -> put(fields.put("kind", JOURNAL_ENTRIES), entries);
      case Question.FilteredEntries filtered -> {
        JournalFilter filter = filtered.filter();
        fields.put("kind", FILTERED_ENTRIES).put("priority", filter.priority());
        fields.put("grep", filter.grep()).put("boot", filter.boot());
        filter.until().ifPresent(until -> fields.put("until", until.toString()));
        put(fields, filtered.entries());
      }
      case Question.Audit audit -> {
        fields.put("kind", AUDIT).put("subject", audit.subject()).put("target", audit.target());
        put(fields, audit.entries());
      }
      case Question.Usage usage ->
          fields
              .put("kind", USAGE)
              .put("units", usage.units())
              .put("intervalMillis", usage.interval().toMillis())
              .put("samples", usage.samples());
      case Question.Systemctl call -> {
        fields.put("kind", ORDER).put("unit", call.unit().value()).put("verb", call.verb().text());
        call.signal()
            .ifPresent(kill -> fields.put("signal", kill.signal()).put("whom", kill.whom()));
      }
      case Question.Exec _, Question.ExecInput _, Question.ExecWindow _ ->
          throw new IllegalArgumentException("commands of people do not go through the store");
    }
    return fields.render(unknown);
  }

  private static void put(FieldWriter fields, Question.JournalEntries entries) {
    fields
        .put("units", entries.units().stream().map(UnitName::value).toList())
        .put("lines", entries.lines())
        .put("after", entries.after())
        .put("follow", entries.follow())
        .put("whole", entries.whole());
    entries.since().ifPresent(since -> fields.put("since", since.toString()));
  }

  public QuestionRecord withTaken(long pieces) {
    return new QuestionRecord(question, pieces, unknown);
  }
}
