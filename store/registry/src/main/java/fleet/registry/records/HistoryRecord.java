package fleet.registry.records;

import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

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
   */
  public record Revision(
      long number,
      String sha256,
      String hash,
      Instant created,
      String by,
      String cause,
      String source,
      UnknownFields unknown) {

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
          UnknownFields.NONE);
    }

    private Revision withSource(String other) {
      return new Revision(number, sha256, hash, created, by, cause, other, unknown);
    }

    private FieldWriter fields() {
      return FieldWriter.ofPart()
          .put("revision", Long.toString(number))
          .put("sha256", sha256)
          .put("hash", hash)
          .put("created", created)
          .put("by", by)
          .put("cause", cause)
          .putIfAny("source", source)
          .and(unknown);
    }

    private static Revision of(FieldReader fields) {
      long number = fields.numberAsText("revision");
      if (number <= 0) {
        throw fields.wrong("revision", "is not positive: " + number);
      }
      return new Revision(
          number,
          fields.text("sha256"),
          fields.text("hash"),
          fields.instant("created"),
          fields.text("by"),
          fields.text("cause"),
          fields.text("source", ""),
          fields.rest());
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
    List<Revision> revisions = fields.parts("revisions").stream().map(Revision::of).toList();
    return new HistoryRecord(revisions, fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .put("revisions", revisions.stream().map(Revision::fields))
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
