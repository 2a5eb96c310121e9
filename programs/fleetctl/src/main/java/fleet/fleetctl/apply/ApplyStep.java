package fleet.fleetctl.apply;

import fleet.core.requirements.Requirements;
import fleet.core.state.DesiredState;
import fleet.core.unit.Dependencies;
import fleet.core.unit.SetName;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.unit.StateLine;
import fleet.fleetctl.unit.WantedUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The change of one unit.
 *
 * @param wanted as its file wants it
 * @param state that it is to have
 * @param existing as the cluster has it
 * @param content whether it gets another content with its request
 * @param require what it is to ask of machines beside its file, once it is placed
 * @param set that it comes into, {@link SetName#NONE} if it leaves its set; empty if it stays
 */
public record ApplyStep(
    WantedUnit wanted,
    DesiredState state,
    Optional<UnitEntity> existing,
    Kind kind,
    boolean content,
    List<String> require,
    String set) {

  ApplyStep(
      WantedUnit wanted,
      DesiredState state,
      Optional<UnitEntity> existing,
      Kind kind,
      boolean content) {
    this(wanted, state, existing, kind, content, List.of(), "");
  }

  /** How a unit comes to be as its file wants it. */
  public enum Kind {
    /** Nothing changes. */
    SAME,
    CREATE,
    /** Its content is replaced, and it does not run. */
    PUT,
    /**
     * It runs, and gets its content by a rollout of its own; or it is a template. Each instance of
     * a global template has a rollout of its own.
     */
    ROLL_OUT,
    /** An instance that gets its content by the rollout of its template. */
    FOLLOW,
    /** An instance that runs, with a content of its own. */
    REPLACE,
    /** It gets the comments of its file or comes into a set, and goes on as it is. */
    ANNOTATE,
    /** It is loaded or launched. */
    RAISE,
    /** It is stopped or unloaded. */
    LOWER
  }

  /** The same step, with further requirements beside the file. */
  public ApplyStep withRequire(List<String> asked) {
    return new ApplyStep(wanted, state, existing, kind, content, asked, set);
  }

  /** The same, but the unit is replaced everywhere at once, without a rollout. */
  public ApplyStep asWhole() {
    return new ApplyStep(wanted, state, existing, Kind.REPLACE, true, require, set);
  }

  /**
   * The same, and the unit is to be in this set: a step if nothing else of it changes.
   *
   * @param other a set, {@link SetName#NONE} for none, or empty to stay in its set
   */
  ApplyStep inSet(String other) {
    String now = existing.map(UnitEntity::set).orElse("");
    String change = (now.isEmpty() ? SetName.NONE : now).equals(other) ? "" : other;
    boolean annotated = kind == Kind.SAME && (hasOtherComments() || !change.isEmpty());
    return new ApplyStep(
        wanted, state, existing, annotated ? Kind.ANNOTATE : kind, content, require, change);
  }

  /** Whether it leaves its set for none. */
  public boolean leavesSet() {
    return set.equals(SetName.NONE);
  }

  /**
   * The step of an instance that gets the content of this template's file; empty if it stays as it
   * is: it has that content, or is in another set.
   */
  Optional<ApplyStep> follower(UnitEntity instance) {
    var unit =
        new WantedUnit(
            UnitName.of(instance.name()), wanted.place(), wanted.file(), Optional.empty());
    DesiredState now = DesiredState.ofText(instance.desiredState()).orElse(DesiredState.INACTIVE);
    boolean ofOtherSet = !instance.set().isEmpty() && !instance.set().equals(setAfter());
    if (ofOtherSet || ApplyPlan.isSameContent(UnitReader.file(instance), wanted.file())) {
      return Optional.empty();
    }
    Kind how = !isGlobal() ? Kind.FOLLOW : now == DesiredState.LAUNCHED ? Kind.ROLL_OUT : Kind.PUT;
    return Optional.of(new ApplyStep(unit, now, Optional.of(instance), how, how == Kind.PUT));
  }

  /** Empty if it is in none then. */
  private String setAfter() {
    return leavesSet() ? "" : set.isEmpty() ? existing.map(UnitEntity::set).orElse("") : set;
  }

  /** Whether a unit that exists comes into a set or leaves its own. */
  public boolean changesSet() {
    return existing.isPresent() && !set.isEmpty();
  }

  /** Whether it had no place, and gets one. */
  public boolean getsPlace() {
    return before() == DesiredState.INACTIVE && state != DesiredState.INACTIVE;
  }

  public UnitName name() {
    return wanted.name();
  }

  /** Whether it has to be on the machine of one of these, or is started with it. */
  boolean needsOneOf(Set<UnitName> others) {
    return Requirements.of(name(), wanted.file(), require).machineOf().stream()
            .anyMatch(peer -> others.stream().anyMatch(other -> other.value().equals(peer)))
        || Dependencies.of(name(), wanted.file()).stream().anyMatch(others::contains);
  }

  public boolean isChange() {
    return kind != Kind.SAME;
  }

  /** The state that it has; inactive if it is not there. */
  public DesiredState before() {
    return existing
        .flatMap(unit -> DesiredState.ofText(unit.desiredState()))
        .orElse(DesiredState.INACTIVE);
  }

  /** The text that it has, without the line that says its state; empty if it is not there. */
  public String textBefore() {
    return existing.map(UnitReader::file).map(UnitFile::text).map(StateLine::without).orElse("");
  }

  /** The text that it is to have. */
  public String textAfter() {
    return StateLine.without(wanted.file().text());
  }

  /** Whether its file differs in comments alone. fleet 1.0 keeps no comments. */
  public boolean hasOtherComments() {
    return existing
        .filter(known -> !known.incarnation().isEmpty())
        .filter(known -> UnitReader.file(known).equals(wanted.file()))
        .filter(_ -> !textBefore().equals(textAfter()))
        .isPresent();
  }

  /** The request that changes its set alone, and its comments if no other request does that. */
  public UnitEntity annotation() {
    String name = name().value();
    UnitEntity request =
        kind == Kind.ANNOTATE && hasOtherComments()
            ? UnitReader.commenting(name, wanted.file(), "")
            : UnitReader.desiring(name, "");
    return request.withSet(set);
  }

  /** The request for its content and state. The set of a unit that exists is changed before. */
  public UnitEntity request() {
    String name = name().value();
    UnitEntity request =
        content
            ? UnitReader.creating(name, wanted.file(), state.text())
            : hasOtherComments()
                ? UnitReader.commenting(name, wanted.file(), state.text())
                : UnitReader.desiring(name, state.text());
    return request.withRequire(require).withSet(existing.isPresent() ? "" : set);
  }

  /** Whether its file makes it a global unit. */
  public boolean isGlobal() {
    return UnitReader.isGlobal(name().value(), wanted.file());
  }
}
