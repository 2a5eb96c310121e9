package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.requirements.InvalidRequirementsException;
import fleet.core.requirements.Requirements;
import fleet.core.state.DesiredState;
import fleet.core.unit.InvalidUnitNameException;
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
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;

/** What a PUT of a unit asks for, checked in the order and in the words of fleet 1.0. */
final class PutRequest {

  private PutRequest() {}

  /**
   * Checks it.
   *
   * @param name the unit's, wherever it was said
   * @param existing the unit as it is
   */
  static UnitPut of(
      String name, UnitEntity asked, Function<UnitName, Optional<UnitView>> existing) {
    UnitName unit = name(name);
    Optional<DesiredState> desired =
        Optional.ofNullable(asked.desiredState()).map(PutRequest::state);
    Optional<UnitView> old = existing.apply(unit);
    if (old.isEmpty() && asked.options() == null) {
      throw noContent();
    }
    Optional<UnitFile> file = Optional.ofNullable(asked.options()).map(PutRequest::file);
    file.filter(f -> old.isEmpty() || !old.get().unit().file().equals(f))
        .ifPresent(PutRequest::checkRequirements);
    if (unit.isTemplate() && desired.isPresent() && desired.get() != DesiredState.INACTIVE) {
      throw template(unit);
    }
    return new UnitPut(unit, file, desired);
  }

  /** The units that are asked for as they are, read all at once. */
  static Function<UnitName, Optional<UnitView>> existing(Cluster cluster, List<UnitEntity> asked) {
    List<String> names =
        asked.stream().flatMap(unit -> Optional.ofNullable(unit.name()).stream()).toList();
    Map<UnitName, UnitView> found =
        cluster.units(UnitsResource.names(names)).stream()
            .collect(Collectors.toMap(view -> view.unit().name(), view -> view));
    return name -> Optional.ofNullable(found.get(name));
  }

  static RefusedException noContent() {
    return new RefusedException(409, "unit does not exist and options field empty");
  }

  static RefusedException template(UnitName name) {
    return RefusedException.badRequest("cannot activate template \"" + name + "\"");
  }

  static void checkContentType(Exchange exchange) {
    List<String> types = exchange.headers(HttpHeader.CONTENT_TYPE.asString());
    if (types.size() != 1) {
      throw new RefusedException(415, "expected 1 Content-Type, got " + types.size());
    }
    if (!types.getFirst().split(";", 2)[0].trim().equals(Exchange.JSON)) {
      throw new RefusedException(415, "only acceptable Content-Type is application/json");
    }
  }

  private static UnitName name(String text) {
    try {
      return UnitName.of(text);
    } catch (InvalidUnitNameException e) {
      throw RefusedException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static DesiredState state(String text) {
    return DesiredState.ofText(text)
        .orElseThrow(() ->
            RefusedException.badRequest(
                "invalid desiredState \"" + text + "\": expected inactive, loaded or launched"));
  }

  private static UnitFile file(List<UnitOptionEntity> options) {
    try {
      return UnitFile.of(
          options.stream().map(o -> new UnitOption(o.section(), o.name(), o.value())).toList());
    } catch (UnitFileSyntaxException e) {
      throw RefusedException.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static void checkRequirements(UnitFile file) {
    try {
      Requirements.validate(file);
    } catch (InvalidRequirementsException e) {
      throw RefusedException.badRequest(String.valueOf(e.getMessage()));
    }
  }
}
