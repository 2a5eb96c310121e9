package fleet.api;

import fleet.cluster.Cluster;
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
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;

/** What a PUT of a unit asks for, checked in the order and in the words of fleet 1.0. */
record PutRequest(UnitName name, Optional<UnitFile> file, Optional<DesiredState> desired) {

  static PutRequest read(Exchange exchange, String urlName, Cluster cluster) throws IOException {
    checkContentType(exchange.headers(HttpHeader.CONTENT_TYPE.asString()));
    UnitEntity body = exchange.body(UnitEntity.class);
    if (body.name() != null && !body.name().equals(urlName)) {
      throw RefusedException.badRequest(
          "name in URL \""
              + urlName
              + "\" differs from unit name in request body \""
              + body.name()
              + "\"");
    }
    UnitName name = name(urlName);
    Optional<DesiredState> desired =
        Optional.ofNullable(body.desiredState()).map(PutRequest::state);
    Optional<UnitView> existing = cluster.unit(name);
    if (existing.isEmpty() && body.options() == null) {
      throw noContent();
    }
    Optional<UnitFile> file = Optional.ofNullable(body.options()).map(PutRequest::file);
    file.filter(f -> existing.isEmpty() || !existing.get().unit().file().equals(f))
        .ifPresent(PutRequest::checkRequirements);
    if (name.isTemplate() && desired.isPresent() && desired.get() != DesiredState.INACTIVE) {
      throw template(name);
    }
    return new PutRequest(name, file, desired);
  }

  static RefusedException noContent() {
    return new RefusedException(409, "unit does not exist and options field empty");
  }

  static RefusedException template(UnitName name) {
    return RefusedException.badRequest("cannot activate template \"" + name + "\"");
  }

  private static void checkContentType(List<String> types) {
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
