package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Intent;
import fleet.cluster.NewRestart;
import fleet.cluster.NewRollout;
import fleet.cluster.NotLeadingException;
import fleet.cluster.OperationProgress;
import fleet.cluster.RebalanceStart;
import fleet.core.desired.Unit;
import fleet.core.operation.Operation;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.operation.OperationId.Kind;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.entities.ErrorBodyEntity;
import fleet.entities.OperationEntity;
import fleet.entities.OperationsEntity;
import fleet.entities.RolloutRequestEntity;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Operations: list, show, pause, resume, revert, promote, cancel; begin a rebalance, a rollout or a
 * restart in turns.
 */
final class OperationsResource {

  private static final Logger LOG = LoggerFactory.getLogger(OperationsResource.class);
  private static final long USUALLY_HEALTHY_SECONDS = 10;
  private static final int USUALLY_RESTARTED_SECONDS = 2;
  private static final long MOST_HEALTHY_SECONDS = Duration.ofDays(1).toSeconds();

  void list(Exchange exchange) throws IOException {
    exchange.reply(
        new OperationsEntity(
            exchange.cluster().operations().stream().map(EntityMapper::withoutSteps).toList()));
  }

  void one(Exchange exchange, OperationId id) throws IOException {
    exchange.reply(
        exchange
            .cluster()
            .operation(id)
            .map(EntityMapper::operation)
            .orElseThrow(() -> new RefusedException(404, "there is no operation " + id.text())));
  }

  void change(Exchange exchange, OperationId id, OperationChange change) throws IOException {
    if (change.isOfRollouts() && id.kind() != Kind.ROLLOUT) {
      throw ofRolloutsOnly(exchange, id, change);
    }
    Caller caller = exchange.caller();
    switch (exchange.cluster().change(id, change, caller)) {
      case CHANGED -> {
        LOG.info("{}: {} asked by {}", id.text(), change.text(), caller);
        exchange.reply(204);
      }
      case ALREADY -> exchange.replyChanged(false);
      case UNKNOWN -> {
        // An earlier attempt at this request may be what ended it.
        if (!exchange.isRepeated()) {
          throw notUnderWay(id);
        }
        exchange.reply(204);
      }
    }
  }

  private static RefusedException ofRolloutsOnly(
      Exchange exchange, OperationId id, OperationChange change) {
    return exchange.cluster().operation(id).isEmpty()
        ? notUnderWay(id)
        : new RefusedException(
            409,
            "a "
                + id.kind().text()
                + (change == OperationChange.PROMOTE
                    ? " has no canaries to promote"
                    : " cannot be reverted, only cancelled: units stay "
                        + (id.kind() == Kind.RESTART ? "as" : "where")
                        + " they are then"));
  }

  private static RefusedException notUnderWay(OperationId id) {
    return new RefusedException(404, "no operation " + id.text() + " is under way");
  }

  // ---- rebalances

  void startRebalance(Exchange exchange) throws IOException {
    var wish =
        new Intent.Rebalance(
            exchange.wholeNumber("within", 1),
            exchange.wholeNumber("moves", Intent.Rebalance.MOST_MOVES),
            exchange.wholeNumber("maxUnavailable", 1));
    Caller caller = exchange.caller();
    RebalanceStart start = exchange.cluster().begin(wish, caller);
    switch (start.kind()) {
      case REFUSED -> throw new RefusedException(409, start.text());
      case UNDER_WAY -> {
        OperationEntity earlier =
            begun(exchange)
                .filter(known -> exchange.isRepeated() && isOf(known, wish, caller))
                .map(EntityMapper::operation)
                .orElseThrow(() -> new RefusedException(409, start.text()));
        exchange.reply(201, earlier);
      }
      case NOTHING -> exchange.reply(OperationEntity.nothing(start.text()));
      case BEGUN -> {
        LOG.info("rebalance begun by {}: {}", caller, wish);
        exchange.reply(201, progress(exchange));
      }
    }
  }

  private static Optional<OperationProgress> begun(Exchange exchange) {
    return exchange.cluster().operation(OperationId.REBALANCE);
  }

  /** An earlier attempt at this request may have begun the operation that is under way. */
  private static boolean isOf(OperationProgress known, Intent.Rebalance wish, Caller caller) {
    Operation operation = known.operation();
    return operation.goesOn()
        && operation.by().equals(caller.name())
        && operation.maxUnavailable() == wish.maxUnavailable()
        && known.details().equals(wish.details());
  }

  /** The rebalance has begun by now: an error here would have the request carried out again. */
  private static OperationEntity progress(Exchange exchange) {
    try {
      return begun(exchange)
          .map(EntityMapper::operation)
          .orElseGet(() -> OperationEntity.nothing(""));
    } catch (NotLeadingException | ClusterUnavailableException e) {
      LOG.debug("the progress of the rebalance is not known: {}", e.getMessage());
      return OperationEntity.nothing("");
    }
  }

  // ---- rollouts

  void startRollout(Exchange exchange, String text) throws IOException {
    UnitName name = PutRequest.name(text);
    NewRollout wanted = wanted(name, exchange.json(RolloutRequestEntity.class));
    Optional<Unit> before = exchange.cluster().stored(name);
    switch (exchange.cluster().begin(wanted, exchange.caller())) {
      case STARTED -> started(exchange, wanted, before);
      case FOLLOWED -> exchange.reply(202);
      case NOTHING_TO_DO -> exchange.reply(200);
      case UNKNOWN ->
          throw new RefusedException(
              404,
              name.isTemplate()
                  ? "there is neither " + name + " nor an instance of it"
                  : "unit " + name + " does not exist");
      case UNDER_WAY -> throw new RefusedException(409, underWay(exchange.cluster(), name));
      case GLOBAL ->
          throw notInTurns(
              name
                  + " would become global, or cease to be so, or its instances are global: replace"
                  + " it as a whole");
      case NOT_WANTED ->
          throw notInTurns(name + " is neither loaded nor launched: replace it as a whole");
      case RESTARTING ->
          throw new RefusedException(
              409,
              "%s is being restarted on one machine after the other: let %s end, or cancel it first"
                  .formatted(name, OperationId.restart(name).text()));
      case TOO_MANY ->
          throw new RefusedException(
              409, name + " has more instances than one rollout can change (2000)");
    }
  }

  private static void started(Exchange exchange, NewRollout wanted, Optional<Unit> before)
      throws IOException {
    exchange
        .answer()
        .touch(
            wanted.name().value(),
            before.map(unit -> unit.file().hash()).orElse(""),
            wanted.file().hash(),
            201,
            "max-unavailable " + wanted.maxUnavailable());
    LOG.info(
        "rollout of {} begun by {}, max-unavailable {}, healthy after {} s",
        wanted.name(),
        exchange.caller(),
        wanted.maxUnavailable(),
        wanted.healthy().toSeconds());
    exchange.reply(201);
  }

  private static RefusedException notInTurns(String why) {
    return new RefusedException(409, why, ErrorBodyEntity.NOT_IN_TURNS);
  }

  private static String underWay(Cluster cluster, UnitName name) {
    String by =
        cluster
            .operation(OperationId.rollout(name))
            .map(progress -> progress.operation().by())
            .orElse("somebody");
    return "a rollout of %s, asked for by %s, is under way: follow, pause or revert it first"
        .formatted(name, by);
  }

  void startRestart(Exchange exchange, String text) throws IOException {
    var wanted =
        new NewRestart(
            PutRequest.name(text),
            exchange.wholeNumber("maxUnavailable", 1),
            Duration.ofSeconds(exchange.wholeNumber("healthySeconds", USUALLY_RESTARTED_SECONDS)));
    if (wanted.healthy().toSeconds() > MOST_HEALTHY_SECONDS) {
      throw RefusedException.badRequest(
          "healthySeconds must be from 1 to %d, not %d"
              .formatted(MOST_HEALTHY_SECONDS, wanted.healthy().toSeconds()));
    }
    UnitName name = wanted.name();
    Caller caller = exchange.caller();
    switch (exchange.cluster().begin(wanted, caller)) {
      case STARTED -> {
        LOG.info(
            "restart of {} begun by {}, max-unavailable {}", name, caller, wanted.maxUnavailable());
        exchange.reply(201);
      }
      case FOLLOWED -> exchange.reply(exchange.isRepeated() ? 201 : 202);
      case UNKNOWN -> throw RefusedException.noSuchUnit();
      case NOT_GLOBAL -> throw notInTurns(name + " is not global: restart it as a whole");
      case NOT_LAUNCHED -> throw new RefusedException(409, name + " is not launched");
      case ROLLOUT_UNDER_WAY -> throw new RefusedException(409, underWay(exchange.cluster(), name));
    }
  }

  private static NewRollout wanted(UnitName name, RolloutRequestEntity asked) {
    if (asked.options().isEmpty() && asked.text().isEmpty()) {
      throw RefusedException.badRequest("expect options, the new content of " + name);
    }
    int most = Optional.ofNullable(asked.maxUnavailable()).orElse(1);
    if (most < 1) {
      throw RefusedException.badRequest("maxUnavailable must be at least 1, not " + most);
    }
    long healthy = Optional.ofNullable(asked.healthySeconds()).orElse(USUALLY_HEALTHY_SECONDS);
    if (healthy < 0 || healthy > MOST_HEALTHY_SECONDS) {
      throw RefusedException.badRequest(
          "healthySeconds must be from 0 to %d, not %d".formatted(MOST_HEALTHY_SECONDS, healthy));
    }
    int canaries = Optional.ofNullable(asked.canaries()).orElse(0);
    if (canaries < 0) {
      throw RefusedException.badRequest("canaries must be at least 1, not " + canaries);
    }
    UnitFile content = PutRequest.content(name, asked.options(), asked.text());
    if (name.isInstance() && !Requirements.of(name, content).global()) {
      throw RefusedException.badRequest(
          name
              + " is an instance: a rollout is of its template, with all instances, of a unit"
              + " without one, or of a global unit");
    }
    return new NewRollout(
        name, content, most, Duration.ofSeconds(healthy), canaries, except(name, asked.except()));
  }

  private static Set<UnitName> except(UnitName template, List<String> names) {
    Set<UnitName> except = new HashSet<>();
    for (String text : names) {
      UnitName unit = PutRequest.name(text);
      if (!unit.template().equals(Optional.of(template))) {
        throw RefusedException.badRequest(
            "except: %s is no instance of %s".formatted(unit, template));
      }
      except.add(unit);
    }
    return except;
  }
}
