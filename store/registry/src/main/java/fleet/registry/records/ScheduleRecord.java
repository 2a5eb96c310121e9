package fleet.registry.records;

import fleet.core.machine.Overcommit;
import fleet.core.schedule.TargetState;
import fleet.core.unit.Incarnation;
import fleet.registry.Entry;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The value of {@code schedule/<machine>/<unit>} and of {@code global/<unit>}.
 *
 * @param sha256 names the {@link FileRecord} that holds the text
 * @param hash names the text to people
 * @param why the reason to stop it; empty if it is not to stop, or an older fleet wrote this
 * @param next id of the machine where there is a place for it once it has stopped here; empty if
 *     none is kept for it
 * @param overcommit of a global unit: how much more than they have is promised of machines
 * @param require what the unit asks of machines beside its file, each {@code Option=Value} of
 *     {@code [X-Fleet]}
 * @param update of a global unit: the content that some machines have already during a rollout
 */
public record ScheduleRecord(
    Incarnation incarnation,
    String sha256,
    String hash,
    TargetState target,
    long restartCounter,
    String why,
    String next,
    Overcommit overcommit,
    List<String> require,
    Optional<GlobalUpdate> update,
    UnknownFields unknown) {

  private static final String NEXT = "next";
  private static final String OVERCOMMIT = "overcommit";
  private static final String REQUIRE = "require";
  private static final String TURN = "turn";

  public ScheduleRecord {
    require = List.copyOf(require);
  }

  public ScheduleRecord(
      Incarnation incarnation,
      String sha256,
      String hash,
      TargetState target,
      long restartCounter) {
    this(
        incarnation,
        sha256,
        hash,
        target,
        restartCounter,
        "",
        "",
        Overcommit.NONE,
        List.of(),
        Optional.empty(),
        UnknownFields.NONE);
  }

  public static ScheduleRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new ScheduleRecord(
        new Incarnation(fields.text("incarnation")),
        fields.text("sha256"),
        fields.text("hash"),
        fields.meaning("target", ScheduleRecord::target),
        fields.number("restartCounter"),
        fields.text("why", ""),
        fields.text(NEXT, ""),
        fields.has(OVERCOMMIT) ? fields.meaning(OVERCOMMIT, Overcommit::ofText) : Overcommit.NONE,
        fields.has(REQUIRE) ? fields.texts(REQUIRE) : List.of(),
        GlobalUpdate.read(fields, TURN),
        fields.rest());
  }

  public String json() {
    FieldWriter fields =
        new FieldWriter()
            .put("incarnation", incarnation.id())
            .put("sha256", sha256)
            .put("hash", hash)
            .put("target", target.text())
            .put("restartCounter", restartCounter);
    if (!why.isEmpty()) {
      fields.put("why", why);
    }
    if (!next.isEmpty()) {
      fields.put(NEXT, next);
    }
    if (!overcommit.equals(Overcommit.NONE)) {
      fields.put(OVERCOMMIT, overcommit.text());
    }
    if (!require.isEmpty()) {
      fields.put(REQUIRE, require);
    }
    update.ifPresent(now -> fields.put(TURN, new TreeMap<>(now.fields())));
    return fields.render(unknown);
  }

  public ScheduleRecord withTarget(TargetState other) {
    return with(other, restartCounter, "", "");
  }

  /** The same, to be stopped. */
  public ScheduleRecord stopping(String reason) {
    return moving(reason, "");
  }

  /** The same, to be stopped as there is a place for it on another machine. */
  public ScheduleRecord moving(String reason, String machine) {
    return with(TargetState.STOPPING, restartCounter, reason, machine);
  }

  public ScheduleRecord withRestartCounter(long counter) {
    return with(target, counter, why, next);
  }

  private ScheduleRecord with(TargetState now, long counter, String reason, String machine) {
    return new ScheduleRecord(
        incarnation,
        sha256,
        hash,
        now,
        counter,
        reason,
        machine,
        overcommit,
        require,
        update,
        unknown);
  }

  /** The same, for machines of which more is promised than they have. */
  public ScheduleRecord withOvercommit(Overcommit other) {
    return with(other, require, update);
  }

  /** The same, of a unit that asks this beside its file. */
  public ScheduleRecord withRequire(List<String> other) {
    return with(overcommit, other, update);
  }

  /** The same, with another content for some machines. */
  public ScheduleRecord withUpdate(Optional<GlobalUpdate> other) {
    return with(overcommit, require, other);
  }

  private ScheduleRecord with(
      Overcommit promised, List<String> asked, Optional<GlobalUpdate> updateNow) {
    return new ScheduleRecord(
        incarnation,
        sha256,
        hash,
        target,
        restartCounter,
        why,
        next,
        promised,
        asked,
        updateNow,
        unknown);
  }

  /** The entry of one machine: each has exactly one of the contents. */
  public ScheduleRecord on(String machine) {
    if (update.isEmpty()) {
      return this;
    }
    GlobalUpdate other = update.get();
    ScheduleRecord alone = withUpdate(Optional.empty());
    return other.has(machine)
        ? new ScheduleRecord(
            other.incarnation(),
            other.sha256(),
            other.hash(),
            target,
            other.restartCounter(),
            why,
            next,
            overcommit,
            require,
            Optional.empty(),
            unknown)
        : alone;
  }

  private static Optional<TargetState> target(String text) {
    return Stream.of(TargetState.values()).filter(target -> target.text().equals(text)).findFirst();
  }
}
