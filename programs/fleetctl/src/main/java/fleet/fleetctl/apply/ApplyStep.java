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
    Way way,
    boolean content,
    List<String> require,
    String set) {

  ApplyStep(
      WantedUnit wanted,
      DesiredState state,
      Optional<UnitEntity> existing,
      Way way,
      boolean content) {
    this(wanted, state, existing, way, content, List.of(), "");
  }

  /** How a unit comes to be as it is wanted. */
  public enum Way {
    /** It is so already. */
    SAME,
    CREATE,
    /** Its content is replaced, and it does not run. */
    PUT,
    /** It runs, and gets its content by a rollout of its own; or it is a template. */
    ROLL_OUT,
    /** An instance that gets its content by the rollout of its template. */
    FOLLOW,
    /** An instance that runs, with a content of its own. */
    REPLACE,
    /** It gets the comments of its file or comes into a set, and goes on as it is. */
    ANNOTATE,
    RAISE,
    LOWER
  }

  /** The same step, with this asked beside the file. */
  public ApplyStep withRequire(List<String> asked) {
    return new ApplyStep(wanted, state, existing, way, content, asked, set);
  }

  /** The same, but the unit is replaced everywhere at once, without a rollout. */
  public ApplyStep asWhole() {
    return new ApplyStep(wanted, state, existing, Way.REPLACE, true, require, set);
  }

  /**
   * The same, and the unit is to be in this set. One that was as it is wanted has something to do
   * then if it is not in it.
   *
   * @param wish a set, {@link SetName#NONE} for none, or empty for where it is
   */
  ApplyStep inSet(String wish) {
    String now = existing.map(UnitEntity::set).orElse("");
    String other = (now.isEmpty() ? SetName.NONE : now).equals(wish) ? "" : wish;
    boolean annotated = way == Way.SAME && (hasOtherComments() || !other.isEmpty());
    return new ApplyStep(
        wanted, state, existing, annotated ? Way.ANNOTATE : way, content, require, other);
  }

  /** Whether it leaves its set, and comes into no other. */
  public boolean leavesSet() {
    return set.equals(SetName.NONE);
  }

  /**
   * The step of an instance of this template that gets the content of the template's file; empty if
   * it has that.
   */
  Optional<ApplyStep> follower(UnitEntity instance) {
    var unit =
        new WantedUnit(
            UnitName.of(instance.name()), wanted.place(), wanted.file(), Optional.empty());
    DesiredState now = DesiredState.ofText(instance.desiredState()).orElse(DesiredState.INACTIVE);
    return ApplyPlan.isSameContent(UnitReader.file(instance), wanted.file())
        ? Optional.empty()
        : Optional.of(new ApplyStep(unit, now, Optional.of(instance), Way.FOLLOW, false));
  }

  /** Whether it is there, and comes into a set or leaves its own. */
  public boolean joins() {
    return existing.isPresent() && !set.isEmpty();
  }

  /** Whether it gets a place, and had none. */
  public boolean isPlaced() {
    return before() == DesiredState.INACTIVE && state != DesiredState.INACTIVE;
  }

  public UnitName name() {
    return wanted.name();
  }

  /** Whether it is changed by the rollout of another name as well. */
  boolean isInstanceOf(UnitName template) {
    return name().template().equals(Optional.of(template));
  }

  /** Whether it has to be on the machine of one of these, or is started with it. */
  boolean needsOneOf(Set<UnitName> others) {
    return Requirements.of(name(), wanted.file(), require).machineOf().stream()
            .anyMatch(peer -> others.stream().anyMatch(other -> other.value().equals(peer)))
        || Dependencies.of(name(), wanted.file()).stream().anyMatch(others::contains);
  }

  public boolean isChange() {
    return way != Way.SAME;
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

  /** Whether its file has the content that it has, with other comments. fleet 1.0 keeps none. */
  public boolean hasOtherComments() {
    return existing
        .filter(known -> !known.incarnation().isEmpty())
        .filter(known -> UnitReader.file(known).equals(wanted.file()))
        .filter(_ -> !textBefore().equals(textAfter()))
        .isPresent();
  }

  /**
   * The request that changes nothing but its comments, if nothing else is to change, and its set.
   */
  public UnitEntity annotation() {
    String name = name().value();
    UnitEntity request =
        way == Way.ANNOTATE && hasOtherComments()
            ? UnitReader.commenting(name, wanted.file(), "")
            : UnitReader.desiring(name, "");
    return request.withSet(set);
  }

  /** The request that makes it so; one that is there is annotated before. */
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

  /** Whether it is to be on every machine that fits. */
  public boolean isGlobal() {
    return UnitReader.isGlobal(UnitReader.creating(name().value(), wanted.file(), state.text()));
  }
}
