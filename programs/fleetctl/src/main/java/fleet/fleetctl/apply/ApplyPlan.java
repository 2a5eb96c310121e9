package fleet.fleetctl.apply;

import fleet.core.requirements.StateWish;
import fleet.core.state.DesiredState;
import fleet.core.unit.Dependencies;
import fleet.core.unit.SetName;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import fleet.entities.UnitEntity;
import fleet.fleetctl.apply.ApplyStep.Way;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.unit.WantedUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 */
public record ApplyPlan(List<ApplyStep> steps, List<UnitEntity> pruned) {

  private static final Set<UnitType> TRIGGERS =
      EnumSet.of(UnitType.TIMER, UnitType.PATH, UnitType.SOCKET);

  private static final Comparator<ApplyStep> BY_NAME = Comparator.comparing(ApplyStep::name);

  private static final Set<Way> COMING = EnumSet.of(Way.CREATE, Way.PUT, Way.RAISE);

  public ApplyPlan {
    steps = List.copyOf(steps);
    pruned = List.copyOf(pruned);
  }

  /** Destroys nothing. */
  public ApplyPlan(List<ApplyStep> steps) {
    this(steps, List.of());
  }

  /**
   * Compares.
   *
   * @param here the units of the cluster that have the names of wanted ones
   * @param usual the state of units whose files say none; empty for launched, except that those
   *     which a timer, path or socket among them starts are loaded
   * @param set that all are to be in, or {@link SetName#NONE}; empty to leave them in their sets
   */
  public static ApplyPlan of(
      List<WantedUnit> wanted,
      Map<String, UnitEntity> here,
      Optional<DesiredState> usual,
      String set) {
    return new ApplyPlan(
        new Comparison(wanted, here, usual)
            .steps().stream().map(step -> step.inSet(set)).sorted(BY_NAME).toList());
  }

  /** The same plan, which destroys those of these units that are in a set and have no file. */
  public ApplyPlan pruning(String set, List<UnitEntity> units) {
    Set<String> named = steps.stream().map(step -> step.name().value()).collect(Collectors.toSet());
    return new ApplyPlan(
        steps,
        units.stream()
            .filter(unit -> unit.set().equals(set) && !named.contains(unit.name()))
            .sorted(Comparator.comparing(ApplyPlan::isTemplate).thenComparing(UnitEntity::name))
            .toList());
  }

  /**
   * The same plan, which also gives instances without a file of their own the content of their
   * template's file: that of the template in the cluster says nothing of theirs.
   *
   * @param units the instances of the templates, perhaps with others
   */
  public ApplyPlan following(List<UnitEntity> units) {
    Map<UnitName, ApplyStep> templates =
        steps.stream()
            .filter(ApplyPlan::isFollowed)
            .collect(Collectors.toMap(ApplyStep::name, step -> step));
    Set<String> others =
        Stream.concat(
                steps.stream().map(step -> step.name().value()),
                pruned.stream().map(UnitEntity::name))
            .collect(Collectors.toSet());
    List<ApplyStep> all = new ArrayList<>(steps);
    for (UnitEntity unit : units) {
      ApplyStep template = UnitName.of(unit.name()).template().map(templates::get).orElse(null);
      if (template != null && !others.contains(unit.name()) && !unit.options().isEmpty()) {
        template.follower(unit).ifPresent(all::add);
      }
    }
    return new ApplyPlan(all.stream().sorted(BY_NAME).toList(), pruned);
  }

  /** The templates whose instances follow them; the rollouts of fleet are not for global ones. */
  public List<UnitName> followed() {
    return having(ApplyPlan::isFollowed).stream().map(ApplyStep::name).toList();
  }

  private static boolean isFollowed(ApplyStep step) {
    return step.name().isTemplate() && !step.isGlobal();
  }

  /** Whether it is a template, which outlives its instances. */
  public static boolean isTemplate(UnitEntity unit) {
    return UnitName.of(unit.name()).isTemplate();
  }

  private static final class Comparison {
    private final List<WantedUnit> wanted;
    private final Map<String, UnitEntity> here;
    private final Optional<DesiredState> usual;
    private final Set<UnitName> triggered = new HashSet<>();
    private final Map<UnitName, WantedUnit> rolledOut;

    Comparison(
        List<WantedUnit> wanted, Map<String, UnitEntity> here, Optional<DesiredState> usual) {
      this.wanted = wanted;
      this.here = here;
      this.usual = usual;
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
      return Optional.ofNullable(here.get(unit.name().value()));
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
        return new ApplyStep(unit, state, existing, Way.CREATE, true);
      }
      boolean content = hasOtherContent(unit);
      DesiredState before = new ApplyStep(unit, state, existing, Way.SAME, false).before();
      Way way = content ? way(unit, before, state) : way(before, state);
      boolean byRollout = way == Way.FOLLOW || way == Way.ROLL_OUT;
      boolean wish = hasOtherWish(unit) && (before != DesiredState.LAUNCHED || way == Way.LOWER);
      return new ApplyStep(
          unit,
          state,
          existing,
          wish && way == Way.SAME ? Way.PUT : way,
          (content && !byRollout) || wish);
    }

    /** Nothing restarts for it; a unit that does not run, or is stopped, gets it. */
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
          .or(() -> usual)
          .orElse(triggered.contains(unit.name()) ? DesiredState.LOADED : DesiredState.LAUNCHED);
    }

    private static Way way(DesiredState before, DesiredState state) {
      int higher = state.compareTo(before);
      return higher == 0 ? Way.SAME : higher > 0 ? Way.RAISE : Way.LOWER;
    }

    /** With another content. */
    private Way way(WantedUnit unit, DesiredState before, DesiredState state) {
      if (state.compareTo(before) < 0) {
        return Way.LOWER;
      }
      if (unit.name().isTemplate()) {
        return Way.ROLL_OUT;
      }
      if (before != DesiredState.LAUNCHED) {
        return Way.PUT;
      }
      Optional<UnitName> template = unit.name().template();
      if (template.isEmpty()) {
        return Way.ROLL_OUT;
      }
      WantedUnit rollout = rolledOut.get(template.get());
      return rollout != null && isSameContent(rollout.file(), unit.file())
          ? Way.FOLLOW
          : Way.REPLACE;
    }
  }

  /**
   * A difference in {@code State=} alone is none: it says nothing of the unit itself, and is not
   * worth a restart of one that runs.
   */
  static boolean isSameContent(UnitFile one, UnitFile other) {
    return StateWish.without(one).equals(StateWish.without(other));
  }

  /** The units that are not as they are wanted. */
  public List<ApplyStep> changes() {
    return having(ApplyStep::isChange);
  }

  /** The units that get other comments or change their set, and nothing else. */
  public List<ApplyStep> annotated() {
    return having(step -> step.way() == Way.ANNOTATE);
  }

  /** The units that change their set before they change otherwise. */
  public List<ApplyStep> joining() {
    return having(step -> step.joins() && step.way() != Way.ANNOTATE);
  }

  /** Whether nothing is to be done. */
  public boolean isEmpty() {
    return changes().isEmpty() && pruned.isEmpty();
  }

  /** The units that come first. */
  public List<ApplyStep> first() {
    Set<UnitName> late = late();
    return having(step -> COMING.contains(step.way()) && !late.contains(step.name()));
  }

  /** The units with a new content, and templates that have theirs, but not all instances. */
  public List<ApplyStep> rollouts() {
    Set<UnitName> templates =
        followers().stream()
            .flatMap(step -> step.name().template().stream())
            .collect(Collectors.toSet());
    return having(step -> step.way() == Way.ROLL_OUT || templates.contains(step.name()));
  }

  /** Instances that get their content from the rollouts. */
  public List<ApplyStep> followers() {
    return having(step -> step.way() == Way.FOLLOW);
  }

  /**
   * Instances with files of their own that would get the content of their template if they were
   * there during its rollout, and the units that need them.
   */
  public List<ApplyStep> afterRollouts() {
    Set<UnitName> late = late();
    return having(step -> late.contains(step.name()));
  }

  /** Instances that run, to be replaced one after the other. */
  public List<ApplyStep> replaced() {
    return having(step -> step.way() == Way.REPLACE);
  }

  /** The units that are stopped or unloaded, once all others are as they are to be. */
  public List<ApplyStep> last() {
    return having(step -> step.way() == Way.LOWER);
  }

  /** The units that are to run. */
  public List<ApplyStep> launched() {
    return having(step -> step.state() == DesiredState.LAUNCHED);
  }

  /**
   * The instances that a rollout of a template leaves alone: those with files of their own, and
   * those that are destroyed after it.
   */
  public List<String> except(UnitName template) {
    return Stream.concat(
            having(step -> step.isInstanceOf(template) && step.way() != Way.FOLLOW).stream()
                .map(step -> step.name().value()),
            pruned.stream()
                .map(UnitEntity::name)
                .filter(name -> UnitName.of(name).template().equals(Optional.of(template))))
        .toList();
  }

  /** To wait for one of these before the others are there would take for ever. */
  private Set<UnitName> late() {
    Set<UnitName> rolledOut = rollouts().stream().map(ApplyStep::name).collect(Collectors.toSet());
    Set<UnitName> late = new HashSet<>();
    boolean more = true;
    while (more) {
      more = false;
      for (ApplyStep step : steps) {
        boolean isInstance = step.name().template().filter(rolledOut::contains).isPresent();
        if (COMING.contains(step.way()) && (isInstance || step.needsOneOf(late))) {
          more |= late.add(step.name());
        }
      }
    }
    return late;
  }

  private List<ApplyStep> having(Predicate<ApplyStep> condition) {
    return steps.stream().filter(condition).toList();
  }
}
