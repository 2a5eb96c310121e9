package fleet.fleetctl.apply;

import fleet.core.requirements.StateWish;
import fleet.core.state.DesiredState;
import fleet.core.unit.Dependencies;
import fleet.core.unit.SetName;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import fleet.entities.UnitEntity;
import fleet.fleetctl.apply.ApplyStep.Kind;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.unit.WantedUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The steps from a cluster to what unit files want, in the order in which they are safe: units that
 * come, rollouts, instances with a content of their own, and at last units that are stopped, as
 * those before may take their place.
 *
 * @param steps of all units, sorted by name
 * @param pruned the units of the set that no file names, to be destroyed; templates last
 * @param left the names of instances without files that stay as they are
 */
public record ApplyPlan(List<ApplyStep> steps, List<UnitEntity> pruned, Set<UnitName> left) {

  private static final Set<UnitType> TRIGGERS =
      EnumSet.of(UnitType.TIMER, UnitType.PATH, UnitType.SOCKET);

  private static final Comparator<ApplyStep> BY_NAME = Comparator.comparing(ApplyStep::name);

  private static final Set<Kind> COMING = EnumSet.of(Kind.CREATE, Kind.PUT, Kind.RAISE);

  public ApplyPlan {
    steps = List.copyOf(steps);
    pruned = List.copyOf(pruned);
    left = Collections.unmodifiableSet(new TreeSet<>(left));
  }

  /** A plan that destroys nothing. */
  public ApplyPlan(List<ApplyStep> steps) {
    this(steps, List.of(), Set.of());
  }

  /**
   * Compares unit files with the units of the cluster that have the same names.
   *
   * @param defaultState of units whose files say none; empty for launched, or for loaded if a
   *     timer, path or socket of the files starts the unit
   * @param set that all are to be in, or {@link SetName#NONE}; empty to leave them in their sets
   */
  public static ApplyPlan of(
      List<WantedUnit> wanted,
      Map<String, UnitEntity> existing,
      Optional<DesiredState> defaultState,
      String set) {
    return new ApplyPlan(
        new Comparison(wanted, existing, defaultState)
            .steps().stream().map(step -> step.inSet(set)).sorted(BY_NAME).toList());
  }

  /** The same plan, which also destroys the units of a set that have no file. */
  public ApplyPlan pruning(String set, List<UnitEntity> units) {
    Set<String> named = steps.stream().map(step -> step.name().value()).collect(Collectors.toSet());
    return new ApplyPlan(
        steps,
        units.stream()
            .filter(unit -> unit.set().equals(set) && !named.contains(unit.name()))
            .sorted(Comparator.comparing(ApplyPlan::isTemplate).thenComparing(UnitEntity::name))
            .toList(),
        left);
  }

  /**
   * The same plan, which also gives instances without a file of their own the content of their
   * template's file. They may differ from it even if the template in the cluster does not. An
   * instance in another set than the template has a file elsewhere.
   *
   * @param units the instances of the templates, perhaps with others
   */
  public ApplyPlan following(List<UnitEntity> units) {
    Map<UnitName, ApplyStep> templates =
        steps.stream()
            .filter(step -> step.name().isTemplate())
            .collect(Collectors.toMap(ApplyStep::name, step -> step));
    Set<UnitName> named =
        steps.stream().map(ApplyStep::name).collect(Collectors.toUnmodifiableSet());
    List<ApplyStep> all = new ArrayList<>(steps);
    Set<UnitName> same = new HashSet<>(left);
    for (UnitEntity unit : units) {
      UnitName name = UnitName.of(unit.name());
      ApplyStep template = name.template().map(templates::get).orElse(null);
      if (template != null && !named.contains(name) && mayFollow(unit)) {
        template.follower(unit).ifPresentOrElse(all::add, () -> same.add(name));
      }
    }
    return new ApplyPlan(all.stream().sorted(BY_NAME).toList(), pruned, same);
  }

  /**
   * Whether an instance is not known to stay as it is, or to go. One whose text cannot be read is
   * left to fleetd.
   */
  public boolean mayFollow(UnitEntity unit) {
    return !unit.options().isEmpty()
        && !left.contains(UnitName.of(unit.name()))
        && pruned.stream().noneMatch(gone -> gone.name().equals(unit.name()));
  }

  /** The units of the steps as the cluster had them, by name. */
  public Map<String, UnitEntity> existing() {
    return steps.stream()
        .flatMap(step -> step.existing().stream())
        .collect(Collectors.toMap(UnitEntity::name, unit -> unit));
  }

  /** The templates, whose instances follow them. */
  public List<UnitName> followed() {
    return stepsThat(step -> step.name().isTemplate()).stream().map(ApplyStep::name).toList();
  }

  /** Whether it is a template, which outlives its instances. */
  public static boolean isTemplate(UnitEntity unit) {
    return UnitName.of(unit.name()).isTemplate();
  }

  private static final class Comparison {
    private final List<WantedUnit> wanted;
    private final Map<String, UnitEntity> existing;
    private final Optional<DesiredState> defaultState;
    private final Set<UnitName> triggered = new HashSet<>();
    private final Map<UnitName, WantedUnit> rolledOut;

    Comparison(
        List<WantedUnit> wanted,
        Map<String, UnitEntity> existing,
        Optional<DesiredState> defaultState) {
      this.wanted = wanted;
      this.existing = existing;
      this.defaultState = defaultState;
      for (WantedUnit unit : wanted) {
        if (TRIGGERS.contains(unit.name().type())) {
          Dependencies.triggered(unit.name(), unit.file()).ifPresent(triggered::add);
        }
      }
      this.rolledOut =
          wanted.stream()
              .filter(unit -> unit.name().isTemplate() && hasOtherContent(unit))
              .collect(Collectors.toMap(WantedUnit::name, unit -> unit));
    }

    List<ApplyStep> steps() {
      return wanted.stream().map(this::step).toList();
    }

    private Optional<UnitEntity> existing(WantedUnit unit) {
      return Optional.ofNullable(existing.get(unit.name().value()));
    }

    private boolean hasOtherContent(WantedUnit unit) {
      return existing(unit)
          .filter(known -> !isSameContent(UnitReader.file(known), unit.file()))
          .isPresent();
    }

    private ApplyStep step(WantedUnit unit) {
      Optional<UnitEntity> existing = existing(unit);
      DesiredState state = state(unit);
      if (existing.isEmpty()) {
        return new ApplyStep(unit, state, existing, Kind.CREATE, true);
      }
      boolean content = hasOtherContent(unit);
      DesiredState before = new ApplyStep(unit, state, existing, Kind.SAME, false).before();
      Kind kind = content ? kind(unit, before, state) : kind(before, state);
      boolean byRollout = kind == Kind.FOLLOW || kind == Kind.ROLL_OUT;
      boolean wish = hasOtherWish(unit) && (before != DesiredState.LAUNCHED || kind == Kind.LOWER);
      return new ApplyStep(
          unit,
          state,
          existing,
          wish && kind == Kind.SAME ? Kind.PUT : kind,
          (content && !byRollout) || wish);
    }

    /** Nothing restarts for another {@code State=}: only a unit that does not run gets it. */
    private boolean hasOtherWish(WantedUnit unit) {
      return !unit.name().isTemplate()
          && existing(unit)
              .filter(known -> !UnitReader.file(known).equals(unit.file()))
              .isPresent();
    }

    private DesiredState state(WantedUnit unit) {
      if (unit.name().isTemplate()) {
        return DesiredState.INACTIVE;
      }
      return unit.state()
          .or(() -> defaultState)
          .orElse(triggered.contains(unit.name()) ? DesiredState.LOADED : DesiredState.LAUNCHED);
    }

    private static Kind kind(DesiredState before, DesiredState state) {
      int higher = state.compareTo(before);
      return higher == 0 ? Kind.SAME : higher > 0 ? Kind.RAISE : Kind.LOWER;
    }

    /** For a unit with another content. */
    private Kind kind(WantedUnit unit, DesiredState before, DesiredState state) {
      if (state.compareTo(before) < 0) {
        return Kind.LOWER;
      }
      boolean global = UnitReader.isGlobal(unit.name().value(), unit.file());
      if (unit.name().isTemplate()) {
        return global ? Kind.PUT : Kind.ROLL_OUT;
      }
      if (before != DesiredState.LAUNCHED) {
        return Kind.PUT;
      }
      Optional<UnitName> template = unit.name().template();
      if (template.isEmpty() || global) {
        return Kind.ROLL_OUT;
      }
      WantedUnit rollout = rolledOut.get(template.get());
      return rollout != null && isSameContent(rollout.file(), unit.file())
          ? Kind.FOLLOW
          : Kind.REPLACE;
    }
  }

  /**
   * Ignores {@code State=}, which is no part of the unit itself: a difference in it is not worth a
   * restart.
   */
  static boolean isSameContent(UnitFile one, UnitFile other) {
    return StateWish.without(one).equals(StateWish.without(other));
  }

  /** The units that differ from their files. */
  public List<ApplyStep> changes() {
    return stepsThat(ApplyStep::isChange);
  }

  /** The units that change in one way. */
  public List<ApplyStep> of(Kind kind) {
    return stepsThat(step -> step.kind() == kind);
  }

  /** The units that change their set before anything else of them changes. */
  public List<ApplyStep> changingSet() {
    return stepsThat(step -> step.changesSet() && step.kind() != Kind.ANNOTATE);
  }

  /** Whether nothing is to be done. */
  public boolean isEmpty() {
    return changes().isEmpty() && pruned.isEmpty();
  }

  /** The units that are created, or raised, before the rollouts. */
  public List<ApplyStep> first() {
    Set<UnitName> late = late();
    return stepsThat(step -> COMING.contains(step.kind()) && !late.contains(step.name()));
  }

  /** Units with a new content, and templates of which some instances lack the content. */
  public List<ApplyStep> rollouts() {
    Set<UnitName> templates =
        of(Kind.FOLLOW).stream()
            .flatMap(step -> step.name().template().stream())
            .collect(Collectors.toSet());
    return stepsThat(step -> step.kind() == Kind.ROLL_OUT || templates.contains(step.name()));
  }

  /**
   * Instances with files of their own that would get the content of their template if they were
   * there during its rollout, and the units that need them.
   */
  public List<ApplyStep> afterRollouts() {
    Set<UnitName> late = late();
    return stepsThat(step -> late.contains(step.name()));
  }

  /** The units that are to run. */
  public List<ApplyStep> launched() {
    return stepsThat(step -> step.state() == DesiredState.LAUNCHED);
  }

  /**
   * The instances that a rollout of a template leaves alone: those with files of their own, those
   * that stay as they are, and those that are destroyed after it.
   */
  public List<String> except(UnitName template) {
    return Stream.of(
            stepsThat(step -> step.kind() != Kind.FOLLOW).stream().map(ApplyStep::name),
            left.stream(),
            pruned.stream().map(unit -> UnitName.of(unit.name())))
        .flatMap(names -> names)
        .filter(name -> name.template().equals(Optional.of(template)))
        .map(UnitName::value)
        .toList();
  }

  /** The units that have to come after the rollouts: a wait before would never end. */
  private Set<UnitName> late() {
    Set<UnitName> rolledOut = rollouts().stream().map(ApplyStep::name).collect(Collectors.toSet());
    Set<UnitName> late = new HashSet<>();
    boolean more = true;
    while (more) {
      more = false;
      for (ApplyStep step : steps) {
        boolean isInstance = step.name().template().filter(rolledOut::contains).isPresent();
        if (COMING.contains(step.kind()) && (isInstance || step.needsOneOf(late))) {
          more |= late.add(step.name());
        }
      }
    }
    return late;
  }

  private List<ApplyStep> stepsThat(Predicate<ApplyStep> condition) {
    return steps.stream().filter(condition).toList();
  }
}
