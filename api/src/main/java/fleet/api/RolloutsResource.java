package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.NewRollout;
import fleet.cluster.RolloutChange;
import fleet.cluster.RolloutProgress;
import fleet.core.desired.Unit;
import fleet.core.operation.Rollout;
import fleet.core.operation.Rollout.Stage;
import fleet.core.unit.UnitName;
import fleet.entities.RolloutEntity;
import fleet.entities.RolloutsEntity;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rollouts: list, begin, tell how far one is, pause, resume, go back. */
final class RolloutsResource {

  private static final Logger LOG = LoggerFactory.getLogger(RolloutsResource.class);

  private static final long USUALLY_HEALTHY_SECONDS = 10;
  private static final long MOST_HEALTHY_SECONDS = Duration.ofDays(1).toSeconds();

  void list(Exchange exchange) throws IOException {
    exchange.allow("only GET supported against this resource", "GET");
    exchange.reply(
        new RolloutsEntity(exchange.cluster().rollouts().stream().map(EntityOf::rollout).toList()));
  }

  void one(Exchange exchange, String name) throws IOException {
    exchange.allow("only GET and PUT supported against this resource", "GET", "PUT");
    UnitName rollout = PutRequest.name(name);
    if (exchange.method().equals("PUT")) {
      start(exchange, rollout);
    } else {
      exchange.reply(
          EntityOf.rollout(
              exchange.cluster().rollout(rollout).orElseThrow(() -> unknown(rollout))));
    }
  }

  private static RefusedException unknown(UnitName name) {
    return new RefusedException(404, "there is no rollout of " + name);
  }

  private void start(Exchange exchange, UnitName name) throws IOException {
    PutRequest.checkContentType(exchange);
    NewRollout wanted = wanted(name, exchange.body(RolloutEntity.class));
    Caller caller = exchange.caller();
    Optional<Unit> before = UnitPutsResource.stored(exchange.cluster(), name);
    switch (exchange.cluster().rollOut(wanted, caller)) {
      case STARTED -> {
        exchange
            .answer()
            .touch(
                name.value(),
                before.map(unit -> unit.file().hash()).orElse(""),
                wanted.file().hash(),
                201,
                "max-unavailable " + wanted.maxUnavailable());
        LOG.info(
            "rollout of {} begun by {}, max-unavailable {}, healthy after {} s",
            name,
            caller,
            wanted.maxUnavailable(),
            wanted.healthy().toSeconds());
        exchange.reply(201);
      }
      case NOTHING_TO_DO -> exchange.reply(200);
      case UNKNOWN ->
          throw new RefusedException(
              404,
              name.isTemplate()
                  ? "there is neither " + name + " nor an instance of it"
                  : "unit " + name + " does not exist");
      case UNDER_WAY -> throw new RefusedException(409, underWay(exchange.cluster(), name));
      case GLOBAL ->
          throw new RefusedException(
              409,
              name
                  + " is global, or would be: it has no instances to change one after the other;"
                  + " replace it as a whole");
      case TOO_MANY ->
          throw new RefusedException(
              409, name + " has more instances than one rollout can change (2000)");
    }
  }

  private static String underWay(Cluster cluster, UnitName name) {
    Optional<Rollout> rollout = cluster.rollout(name).map(RolloutProgress::rollout);
    String course =
        rollout.filter(Rollout::paused).isPresent()
            ? "is paused"
            : rollout.filter(one -> one.stage() == Stage.BACK).isPresent()
                ? "goes back"
                : "goes on";
    return "a rollout of %s %s, as %s asked: follow it, pause or resume it, or have it go back first"
        .formatted(name, course, rollout.map(Rollout::by).orElse("somebody"));
  }

  private static NewRollout wanted(UnitName name, RolloutEntity asked) {
    if (asked.options() == null) {
      throw RefusedException.badRequest("expect options, the new content of " + name);
    }
    if (name.isInstance()) {
      throw RefusedException.badRequest(
          name
              + " is an instance: a rollout is of its template, with all instances, or of a unit"
              + " without one");
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
    return new NewRollout(
        name, PutRequest.content(name, asked.options()), most, Duration.ofSeconds(healthy));
  }

  void change(Exchange exchange, String name, String word) throws IOException {
    RolloutChange change = RolloutChange.ofText(word).orElseThrow(RefusedException::notFound);
    exchange.allow("only POST supported against this resource", "POST");
    UnitName rollout = PutRequest.name(name);
    Caller caller = exchange.caller();
    boolean changed =
        exchange
            .cluster()
            .changeRollout(rollout, change, caller)
            .orElseThrow(() -> new RefusedException(404, "no rollout of " + rollout + " goes on"));
    if (changed) {
      LOG.info("rollout of {}: {} asked by {}", rollout, change.text(), caller);
    }
    exchange.reply(changed || exchange.isRepeated() ? 204 : 200);
  }
}
