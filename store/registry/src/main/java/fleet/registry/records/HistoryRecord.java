package fleet.registry.records;

import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The value of {@code history/<name>}: the contents of a unit, newest first. There is one once a
 * unit has its second content, and it goes with the unit. It keeps the files that it names.
 *
 * <p>Written together with {@code unit/<name>}. A fleetd of a version that knows no history writes
 * the unit alone, so the newest revision may be older than the unit's content.
 */
public record HistoryRecord(List<Revision> revisions, UnknownFields unknown) {

  /** As many contents of a unit are kept, the present one included. */
  public static final int MOST = 10;

  /** The cause of a content that somebody submitted, with or without starting the unit. */
  public static final String SUBMIT = "submit";

  public static final String ROLLOUT = "rollout";

  /** The cause of a content that a rollout gave back. */
  public static final String UNDO = "rollout undo";

  private static final String REVISIONS = "revisions";
  private static final String NUMBER = "revision";
  private static final String SHA256 = "sha256";
  private static final String HASH = "hash";
  private static final String CREATED = "created";
  private static final String BY = "by";
  private static final String CAUSE = "cause";
  private static final String SOURCE = "source";

  /**
   * A content of the unit.
   *
   * @param number rises with each content
   * @param sha256 names the {@link FileRecord} that holds the text
   * @param hash names the text to people
   * @param created when the unit got it
   * @param by who gave it to the unit
   * @param cause the kind of command, such as {@link #SUBMIT}; empty if not known
   * @param source names the {@link FileRecord} that holds the text as it was typed; empty if that
   *     is the text that {@code sha256} names
   * @param others fields that this version does not know
   */
  public record Revision(
      long number,
      String sha256,
      String hash,
      Instant created,
      String by,
      String cause,
      String source,
      Map<String, String> others) {

    public Revision {
      others = new TreeMap<>(others);
    }

    /** The content that a unit has. */
    static Revision of(long number, UnitRecord unit, String cause) {
      return new Revision(
          number,
          unit.sha256(),
          unit.hash(),
          unit.created(),
          unit.contentBy(),
          cause,
          unit.source(),
          Map.of());
    }

    private Revision withSource(String other) {
      return new Revision(number, sha256, hash, created, by, cause, other, others);
    }

    private Map<String, String> fields() {
      Map<String, String> fields = new TreeMap<>(others);
      fields.put(NUMBER, Long.toString(number));
      fields.put(SHA256, sha256);
      fields.put(HASH, hash);
      fields.put(CREATED, created.toString());
      fields.put(BY, by);
      fields.put(CAUSE, cause);
      if (!source.isEmpty()) {
        fields.put(SOURCE, source);
      }
      return fields;
    }

    private static Revision of(FieldReader reader, Map<String, String> stored) {
      Map<String, String> fields = new HashMap<>(stored);
      return new Revision(
          number(reader, take(reader, fields, NUMBER)),
          take(reader, fields, SHA256),
          take(reader, fields, HASH),
          time(reader, take(reader, fields, CREATED)),
          take(reader, fields, BY),
          take(reader, fields, CAUSE),
          Objects.requireNonNullElse(fields.remove(SOURCE), ""),
          fields);
    }

    private static String take(FieldReader reader, Map<String, String> fields, String name) {
      String text = fields.remove(name);
      if (text == null) {
        throw reader.wrong(REVISIONS, "has a revision without " + name);
      }
      return text;
    }

    private static long number(FieldReader reader, String text) {
      try {
        int number = Integer.parseInt(text);
        if (number > 0) {
          return number;
        }
      } catch (NumberFormatException e) {
        throw reader.wrong(REVISIONS, "has a revision that is not a number: " + text);
      }
      throw reader.wrong(REVISIONS, "has a revision that is not positive: " + text);
    }

    private static Instant time(FieldReader reader, String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException e) {
        throw reader.wrong(REVISIONS, "has a time that is not in ISO 8601: " + text);
      }
    }
  }

  public HistoryRecord {
    revisions = List.copyOf(revisions);
  }

  /** The history of a unit that has none stored. */
  public static HistoryRecord none() {
    return new HistoryRecord(List.of(), UnknownFields.NONE);
  }

  /**
   * Reads a stored history.
   *
   * @throws RegistryException if it cannot be read
   */
  public static HistoryRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    List<Revision> revisions =
        fields.objects(REVISIONS).stream().map(stored -> Revision.of(fields, stored)).toList();
    return new HistoryRecord(revisions, fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .putObjects(REVISIONS, revisions.stream().map(Revision::fields).toList())
        .render(unknown);
  }

  /**
   * The history with the content that a unit has at its head, which a fleetd without histories may
   * have written, and with the comments that the unit has.
   */
  public HistoryRecord upTo(UnitRecord unit) {
    if (revisions.isEmpty() || !revisions.getFirst().sha256().equals(unit.sha256())) {
      return with(unit, revisions.isEmpty() ? SUBMIT : "");
    }
    List<Revision> now = new ArrayList<>(revisions);
    now.set(0, revisions.getFirst().withSource(unit.source()));
    return new HistoryRecord(now, unknown);
  }

  /** The name of the text that a content was typed as; empty if that is its own, or not known. */
  public String sourceOf(String sha256) {
    return revisions.stream()
        .filter(revision -> revision.sha256().equals(sha256))
        .map(Revision::source)
        .findFirst()
        .orElse("");
  }

  /**
   * The same with a newer content. A former revision of the same text goes, as with the history of
   * a Deployment of Kubernetes: it is the newest one now.
   */
  public HistoryRecord with(UnitRecord unit, String cause) {
    long number = revisions.isEmpty() ? 1 : revisions.getFirst().number() + 1;
    List<Revision> now = new ArrayList<>();
    now.add(Revision.of(number, unit, cause));
    revisions.stream()
        .filter(former -> !former.sha256().equals(unit.sha256()))
        .limit(MOST - 1)
        .forEach(now::add);
    return new HistoryRecord(now, unknown);
  }
}
