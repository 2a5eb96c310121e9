package fleet.registry.records;

import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.registry.Entry;
import java.time.Instant;
import java.util.List;

/**
 * The value of {@code unit/<name>}.
 *
 * @param sha256 names the {@link FileRecord} that holds the text
 * @param hash names the text to people
 * @param by who submitted or last changed it
 * @param require what it asks of machines beside its file, each {@code Option=Value} of {@code
 *     [X-Fleet]}; empty if it is inactive
 * @param ended the restart counter of the start that had run to its end when its machine went; 0 if
 *     none had
 * @param author who gave it its content, if somebody else has changed it since; empty if not
 * @param source names the {@link FileRecord} that holds the text as it was typed; empty if that is
 *     the text that {@code sha256} names
 * @param set that {@code apply} keeps the unit in; empty if none
 * @param highestCounter the highest restart counter that machines may have had of this incarnation
 *     by a restart in turns, or before the registry was restored; 0 if that is the unit's own
 */
public record UnitRecord(
    Incarnation incarnation,
    String sha256,
    String hash,
    DesiredState desired,
    long restartCounter,
    String by,
    Instant created,
    List<String> require,
    long ended,
    String author,
    String source,
    String set,
    long highestCounter,
    UnknownFields unknown) {

  public UnitRecord {
    // An older fleet keeps what it does not know, also if it unloads the unit.
    require = desired == DesiredState.INACTIVE ? List.of() : List.copyOf(require);
    highestCounter = highestCounter > restartCounter ? highestCounter : 0;
  }

  /** One that asks nothing beside its file. */
  public UnitRecord(
      Incarnation incarnation,
      String sha256,
      String hash,
      DesiredState desired,
      long restartCounter,
      String by,
      Instant created) {
    this(
        incarnation,
        sha256,
        hash,
        desired,
        restartCounter,
        by,
        created,
        List.of(),
        0,
        "",
        "",
        "",
        0,
        UnknownFields.NONE);
  }

  public static UnitRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new UnitRecord(
        new Incarnation(fields.text("incarnation")),
        fields.text("sha256"),
        fields.text("hash"),
        fields.meaning("desired", DesiredState::ofText),
        fields.number("restartCounter"),
        fields.text("by"),
        fields.instant("created"),
        fields.textsIfAny("require"),
        fields.number("ended", 0),
        fields.text("author", ""),
        fields.text("source", ""),
        // Many units have the same.
        fields.text("set", "").intern(),
        fields.number("highestCounter", 0),
        fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .put("incarnation", incarnation.id())
        .put("sha256", sha256)
        .put("hash", hash)
        .put("desired", desired.text())
        .put("restartCounter", restartCounter)
        .put("by", by)
        .put("created", created)
        .putIfAny("require", require)
        .putIfAny("ended", ended)
        .putIfAny("author", author)
        .putIfAny("source", source)
        .putIfAny("set", set)
        .putIfAny("highestCounter", highestCounter)
        .render(unknown);
  }

  /** The caller that gave the unit its content. */
  public String contentBy() {
    return author.isEmpty() ? by : author;
  }

  private String authorAfter(String caller) {
    return caller.equals(contentBy()) ? "" : contentBy();
  }

  /** If it is to be inactive it asks nothing beside its file any more. */
  public UnitRecord withDesired(DesiredState state, String caller) {
    return with(state, restartCounter, caller, require, ended, authorAfter(caller), source, set);
  }

  /** The same unit, told once more to start. */
  public UnitRecord withAnotherStart(String caller) {
    return withStart(nextCounter(), caller);
  }

  /** The same unit, with the start that a restart in turns has brought to its machines. */
  public UnitRecord withStart(long counter, String caller) {
    return with(desired, counter, caller, require, ended, authorAfter(caller), source, set);
  }

  /** The restart counter of the next start: no machine has had it. */
  public long nextCounter() {
    return Math.max(restartCounter, highestCounter) + 1;
  }

  /** The same unit, whose machines may get the next restart counter before the unit does. */
  public UnitRecord withNextCounterTaken() {
    return withCountersTaken(nextCounter());
  }

  /** The same unit, whose machines may have had all restart counters up to this one. */
  public UnitRecord withCountersTaken(long highest) {
    return new UnitRecord(
        incarnation,
        sha256,
        hash,
        desired,
        restartCounter,
        by,
        created,
        require,
        ended,
        author,
        source,
        set,
        Math.max(highestCounter, highest),
        unknown);
  }

  /** The same unit, of which the last start that was asked for has run to its end. */
  public UnitRecord asEnded() {
    return with(desired, restartCounter, by, require, restartCounter, author, source, set);
  }

  /** Whether it is launched, and the last start that was asked for had ended by then. */
  public boolean hasEnded() {
    return desired == DesiredState.LAUNCHED && ended != 0 && ended == restartCounter;
  }

  /** The same unit, which asks this beside its file. */
  public UnitRecord withRequire(List<String> other) {
    return with(desired, restartCounter, by, other, ended, author, source, set);
  }

  /** The same unit, whose text was typed so. */
  public UnitRecord withSource(String other) {
    return with(desired, restartCounter, by, require, ended, author, other, set);
  }

  /** The same unit in a set; in none if that is empty. */
  public UnitRecord withSet(String other) {
    return with(desired, restartCounter, by, require, ended, author, source, other);
  }

  private UnitRecord with(
      DesiredState desired,
      long restartCounter,
      String by,
      List<String> require,
      long ended,
      String author,
      String source,
      String set) {
    return new UnitRecord(
        incarnation,
        sha256,
        hash,
        desired,
        restartCounter,
        by,
        created,
        require,
        ended,
        author,
        source,
        set,
        highestCounter,
        unknown);
  }
}
