package fleet.registry.records;

import fleet.core.question.Question;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;

/**
 * The value of {@code question/<machine>/<id>}, there as long as somebody reads the answer.
 *
 * @param taken how many pieces of the answer the reader has taken
 */
public record QuestionRecord(Question question, long taken, UnknownFields unknown) {

  private static final String STATUS = "status";
  private static final String JOURNAL = "journal";

  public QuestionRecord(Question question) {
    this(question, 0, UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws RegistryException where the value is not one of these
   */
  public static QuestionRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    String kind = fields.text("kind");
    UnitName unit = unit(entry, fields.text("unit"));
    Question question =
        switch (kind) {
          case STATUS -> new Question.Status(unit, fields.truth("colour"));
          case JOURNAL ->
              new Question.Journal(
                  unit,
                  Math.clamp(fields.number("lines"), 0, Integer.MAX_VALUE),
                  fields.truth("follow"),
                  fields.text("output"));
          default ->
              throw new RegistryException(
                  "value of key %s in the registry: field kind has the unknown value %s"
                      .formatted(entry.key(), kind));
        };
    return new QuestionRecord(question, fields.number("taken"), fields.rest());
  }

  private static UnitName unit(Entry entry, String name) {
    try {
      return UnitName.of(name);
    } catch (InvalidUnitNameException e) {
      throw new RegistryException(
          "value of key %s in the registry: field unit: %s".formatted(entry.key(), e.getMessage()),
          e);
    }
  }

  /** The value to store. */
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
    }
    return fields.render(unknown);
  }

  public QuestionRecord withTaken(long pieces) {
    return new QuestionRecord(question, pieces, unknown);
  }
}
