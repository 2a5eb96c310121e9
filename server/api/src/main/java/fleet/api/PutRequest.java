package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.UnitPut;
import fleet.core.desired.Unit;
import fleet.core.requirements.InvalidRequirementsException;
import fleet.core.requirements.Requirements;
import fleet.core.state.DesiredState;
import fleet.core.unit.SetName;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import fleet.entities.UnitEntity;
import fleet.entities.UnitOptionEntity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A PUT of a unit, checked in the order and in the words of fleet 1.0. */
final class PutRequest {

  private PutRequest() {}

  /**
   * Checks it.
   *
   * @param name the unit's, from the path or the body
   * @param existing the present unit
   */
  static UnitPut of(String name, UnitEntity asked, Function<UnitName, Optional<Unit>> existing) {
    UnitName unit = name(name);
    Optional<DesiredState> desired =
        Optional.of(asked.desiredState()).filter(text -> !text.isEmpty()).map(PutRequest::state);
    Optional<Unit> old = existing.apply(unit);
    Optional<UnitFile> file =
        asked.options().isEmpty() && asked.text().isEmpty()
            ? Optional.empty()
            : Optional.of(file(asked.options(), asked.text()));
    if (old.isEmpty() && file.isEmpty()) {
      throw noContent();
    }
    List<String> require = require(asked, desired);
    check(unit, old, file, desired.orElse(DesiredState.INACTIVE), require);
    if (unit.isTemplate() && desired.isPresent() && desired.get() != DesiredState.INACTIVE) {
      throw template(unit);
    }
    Optional<String> set =
        Optional.of(asked.set())
            .filter(text -> !text.isEmpty())
            .map(text -> text.equals(SetName.NONE) ? "" : text);
    return RefusedException.ifInvalid(() -> new UnitPut(unit, file, desired, require, set));
  }

  /** A unit's content, checked as in a submission. */
  static UnitFile content(UnitName name, List<UnitOptionEntity> options, String text) {
    UnitFile file = file(options, text);
    checkRequirements(name, file, List.of());
    return file;
  }

  private static List<String> require(UnitEntity asked, Optional<DesiredState> desired) {
    List<String> require = asked.require();
    if (!require.isEmpty() && desired.orElse(DesiredState.INACTIVE) == DesiredState.INACTIVE) {
      throw RefusedException.badRequest(
          "require goes with the desired states loaded and launched, and is kept until the unit is"
              + " inactive");
    }
    return require;
  }

  /** Checks only what is new: the rest has been checked before. */
  private static void check(
      UnitName name,
      Optional<Unit> old,
      Optional<UnitFile> file,
      DesiredState desired,
      List<String> require) {
    Optional<Unit> kept = old.filter(unit -> file.isEmpty() || unit.file().equals(file.get()));
    if (kept.isPresent() && require.isEmpty()) {
      return;
    }
    List<String> beside = require;
    if (require.isEmpty() && desired != DesiredState.INACTIVE) {
      beside = old.map(Unit::require).orElse(List.of());
    }
    checkRequirements(name, file.or(() -> old.map(Unit::file)).orElseThrow(), beside);
    if (kept.filter(unit -> asksOther(unit, require)).isPresent()) {
      throw otherRequirements(kept.get());
    }
  }

  private static boolean asksOther(Unit unit, List<String> require) {
    return unit.desired() != DesiredState.INACTIVE && !unit.require().equals(require);
  }

  /** The present state of the requested units, read all at once. */
  static Function<UnitName, Optional<Unit>> existing(Cluster cluster, List<UnitEntity> asked) {
    List<String> names =
        asked.stream().map(UnitEntity::name).filter(name -> !name.isEmpty()).toList();
    Map<UnitName, Unit> found = cluster.stored(UnitsResource.names(names));
    return name -> Optional.ofNullable(found.get(name));
  }

  static RefusedException noContent() {
    return new RefusedException(409, "unit does not exist and options field empty");
  }

  static RefusedException template(UnitName name) {
    return RefusedException.badRequest("cannot activate template \"" + name + "\"");
  }

  /** A unit that has a place or waits for one keeps its requirements until it is unloaded. */
  static RefusedException otherRequirements(Unit unit) {
    String there =
        unit.require().isEmpty()
            ? "without extra requirements"
            : "with other extra requirements (" + String.join(", ", unit.require()) + ")";
    return new RefusedException(
        409, "%s is %s %s: unload it first".formatted(unit.name(), unit.desired().text(), there));
  }

  static UnitName name(String text) {
    return RefusedException.ifInvalid(() -> UnitName.of(text));
  }

  private static DesiredState state(String text) {
    return DesiredState.ofText(text)
        .orElseThrow(() ->
            RefusedException.badRequest(
                "invalid desiredState \"" + text + "\": expected inactive, loaded or launched"));
  }

  /** Clients that know of texts send options as well, for servers that do not. */
  private static UnitFile file(List<UnitOptionEntity> options, String text) {
    try {
      if (!text.isEmpty()) {
        UnitFile typed = UnitFile.typed(text);
        if (!options.isEmpty() && !typed.equals(file(options, ""))) {
          throw RefusedException.badRequest("text and options are not of the same content");
        }
        return typed;
      }
      return UnitFile.of(
          options.stream().map(o -> new UnitOption(o.section(), o.name(), o.value())).toList());
    } catch (UnitFileSyntaxException e) {
      throw RefusedException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static void checkRequirements(UnitName name, UnitFile file, List<String> require) {
    try {
      Requirements.validate(name, file, require);
    } catch (InvalidRequirementsException e) {
      throw RefusedException.badRequest(String.valueOf(e.getMessage()));
    }
  }
}
