package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.PutResult;
import fleet.cluster.UnitPut;
import fleet.core.desired.Unit;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.entities.UnitPageEntity;
import fleet.entities.UnitPutResultEntity;
import fleet.entities.UnitPutResultsEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Units that are created, replaced or changed: one by its path, or several in one request. */
final class UnitPutsResource {

  private static final Logger LOG = LoggerFactory.getLogger(UnitPutsResource.class);

  /** More units than these are one line of the log; the events have the details. */
  private static final int LOGGED_ONE_BY_ONE = 5;

  void one(Exchange exchange, String urlName) throws IOException {
    UnitEntity body = exchange.json(UnitEntity.class);
    if (!body.name().isEmpty() && !body.name().equals(urlName)) {
      throw RefusedException.badRequest(
          "name in URL \"%s\" differs from unit name in request body \"%s\""
              .formatted(urlName, body.name()));
    }
    UnitPut put = PutRequest.of(urlName, body, name -> exchange.cluster().stored(name));
    UnitPutResultEntity result = put(exchange, List.of(put)).getFirst();
    if (!result.message().isEmpty()) {
      throw new RefusedException(result.status(), result.message());
    }
    exchange.reply(result.status());
  }

  /** Refused units do not hinder others. */
  void several(Exchange exchange) throws IOException {
    List<UnitEntity> asked = exchange.json(UnitPageEntity.class).units();
    Function<UnitName, Optional<Unit>> existing = PutRequest.existing(exchange.cluster(), asked);
    List<Optional<UnitPutResultEntity>> refused = new ArrayList<>();
    List<UnitPut> puts = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (UnitEntity unit : asked) {
      String name = unit.name();
      try {
        if (!names.add(name)) {
          throw RefusedException.badRequest("named twice in one request");
        }
        puts.add(PutRequest.of(name, unit, existing));
        refused.add(Optional.empty());
      } catch (RefusedException e) {
        refused.add(Optional.of(refused(name, e)));
      }
    }
    var done = put(exchange, puts).iterator();
    refused.stream().flatMap(Optional::stream).forEach(result -> touch(exchange, result, "", ""));
    exchange.reply(
        new UnitPutResultsEntity(
            refused.stream().map(result -> result.orElseGet(done::next)).toList()));
  }

  private List<UnitPutResultEntity> put(Exchange exchange, List<UnitPut> puts) {
    Caller caller = exchange.caller();
    Map<UnitName, Unit> before = before(exchange.cluster(), puts);
    List<PutResult> results = puts.isEmpty() ? List.of() : results(exchange, puts);
    Level level = puts.size() > LOGGED_ONE_BY_ONE ? Level.DEBUG : Level.INFO;
    List<UnitPutResultEntity> told = new ArrayList<>();
    for (int i = 0; i < puts.size(); i++) {
      UnitPutResultEntity result = resultOf(exchange, puts.get(i), results.get(i), level);
      told.add(result);
      touch(exchange, puts.get(i), Optional.ofNullable(before.get(puts.get(i).name())), result);
    }
    if (level == Level.DEBUG) {
      long done = told.stream().filter(result -> result.message().isEmpty()).count();
      LOG.info(
          "{} to {}: {} units created or changed by {}",
          puts.getFirst().name(),
          puts.getLast().name(),
          done,
          caller);
    }
    return told;
  }

  /** The units whose text may change, as they are before that. */
  private static Map<UnitName, Unit> before(Cluster cluster, List<UnitPut> puts) {
    Set<UnitName> names =
        puts.stream()
            .filter(put -> put.file().isPresent())
            .map(UnitPut::name)
            .collect(Collectors.toSet());
    return names.isEmpty() ? Map.of() : cluster.stored(names);
  }

  /** If the outcome is unknown, the audit log says so for each unit. */
  private static List<PutResult> results(Exchange exchange, List<UnitPut> puts) {
    try {
      return exchange.cluster().put(puts, exchange.caller());
    } catch (ClusterUnavailableException e) {
      for (UnitPut put : puts) {
        exchange.answer().touch(put.name().value(), 503, String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  private static void touch(
      Exchange exchange, UnitPut put, Optional<Unit> before, UnitPutResultEntity result) {
    String was = before.map(unit -> unit.file().hash()).orElse("");
    String is = result.message().isEmpty() ? put.file().map(UnitFile::hash).orElse("") : was;
    touch(
        exchange,
        result.message().isEmpty()
            ? new UnitPutResultEntity(result.name(), result.status(), wish(put))
            : result,
        was,
        is);
  }

  private static void touch(
      Exchange exchange, UnitPutResultEntity result, String before, String after) {
    exchange.answer().touch(result.name(), before, after, result.status(), result.message());
  }

  private static String wish(UnitPut put) {
    String desired = put.desired().map(state -> "desired state " + state.text()).orElse("");
    String require = String.join(", ", put.require());
    String state = require.isEmpty() ? desired : desired + " with " + require + " required";
    return Stream.of(state, put.set().map(UnitPutsResource::set).orElse(""))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String set(String name) {
    return name.isEmpty() ? "no set" : "set " + name;
  }

  private static UnitPutResultEntity done(String name, int status) {
    return new UnitPutResultEntity(name, status, "");
  }

  private static UnitPutResultEntity refused(String name, RefusedException why) {
    return new UnitPutResultEntity(name, why.status(), why.text());
  }

  private static UnitPutResultEntity resultOf(
      Exchange exchange, UnitPut put, PutResult result, Level level) {
    Caller caller = exchange.caller();
    String name = put.name().value();
    return switch (result) {
      case CREATED -> done(put, "created", 201, caller, level);
      case REPLACED -> done(put, "replaced", 201, caller, level);
      case UPDATED -> done(put, "changed", 204, caller, level);
      case NO_CONTENT -> refused(name, PutRequest.noContent());
      case NO_DESIRED_STATE ->
          isDone(exchange, put)
              ? done(name, 201)
              : refused(
                  name,
                  new RefusedException(409, "must provide DesiredState to update existing unit"));
      case TEMPLATE -> refused(name, PutRequest.template(put.name()));
      case OTHER_REQUIREMENTS -> refused(name, otherRequirements(exchange.cluster(), put));
    };
  }

  /** Another request was faster. */
  private static RefusedException otherRequirements(Cluster cluster, UnitPut put) {
    return cluster
        .stored(put.name())
        .map(PutRequest::otherRequirements)
        .orElseGet(PutRequest::noContent);
  }

  /** Whether an earlier attempt at the same request has created the unit. */
  private static boolean isDone(Exchange exchange, UnitPut put) {
    return exchange.isRepeated()
        && exchange
            .cluster()
            .stored(put.name())
            .filter(unit -> put.file().filter(unit.file()::equals).isPresent())
            .isPresent();
  }

  private static UnitPutResultEntity done(
      UnitPut put, String what, int status, Caller caller, Level level) {
    String desired = put.desired().map(state -> ", desired state " + state.text()).orElse("");
    String require =
        put.require().isEmpty() ? "" : ", with " + String.join(", ", put.require()) + " required";
    String set = put.set().map(name -> ", " + set(name)).orElse("");
    LOG.atLevel(level).log("{}: {} by {}{}{}{}", put.name(), what, caller, desired, require, set);
    return done(put.name().value(), status);
  }
}
