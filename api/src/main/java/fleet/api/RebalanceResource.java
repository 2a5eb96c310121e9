package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Intent;
import fleet.cluster.NotLeadingException;
import fleet.cluster.RebalanceStart;
import fleet.core.operation.Rebalance;
import fleet.entities.RebalanceEntity;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rebalances: begin one, say how far it is, stop it. */
final class RebalanceResource {

  private static final Logger LOG = LoggerFactory.getLogger(RebalanceResource.class);

  void handle(Exchange exchange) throws IOException {
    exchange.allow(
        "only GET, POST and DELETE supported against this resource", "GET", "POST", "DELETE");
    switch (exchange.method()) {
      case "POST" -> start(exchange);
      case "DELETE" -> stop(exchange);
      default ->
          exchange.reply(
              exchange
                  .cluster()
                  .rebalance()
                  .map(EntityOf::rebalance)
                  .orElseThrow(() -> new RefusedException(404, "no rebalance was ever asked for")));
    }
  }

  private void start(Exchange exchange) throws IOException {
    var wish =
        new Intent.Rebalance(
            WholeNumber.parameter(exchange, "within", 1),
            WholeNumber.parameter(exchange, "moves", Intent.Rebalance.MOST_MOVES),
            WholeNumber.parameter(exchange, "maxUnavailable", 1));
    Caller caller = exchange.caller();
    RebalanceStart start = exchange.cluster().startRebalance(wish, caller);
    switch (start.kind()) {
      case REFUSED -> throw new RefusedException(409, start.text());
      case UNDER_WAY -> {
        RebalanceEntity earlier =
            begunBefore(exchange, wish).orElseThrow(() -> new RefusedException(409, start.text()));
        exchange.reply(201, earlier);
      }
      case NOTHING -> exchange.reply(RebalanceEntity.nothing(start.text()));
      case BEGUN -> {
        LOG.info("rebalance begun by {}: {}", caller, wish);
        exchange.reply(201, progress(exchange).withReason(start.text()));
      }
    }
  }

  /** The one that goes on, if an earlier attempt at this request has begun it. */
  private static Optional<RebalanceEntity> begunBefore(Exchange exchange, Intent.Rebalance wish) {
    return exchange.isRepeated()
        ? exchange
            .cluster()
            .rebalance()
            .filter(known -> isOf(known.rebalance(), wish, exchange.caller()))
            .map(EntityOf::rebalance)
        : Optional.empty();
  }

  private static boolean isOf(Rebalance rebalance, Intent.Rebalance wish, Caller caller) {
    return rebalance.goesOn()
        && rebalance.by().equals(caller.name())
        && rebalance.within() == wish.within()
        && rebalance.maxUnavailable() == wish.maxUnavailable();
  }

  /** It has begun by now, whoever leads: an error here would have the request carried out again. */
  private static RebalanceEntity progress(Exchange exchange) {
    try {
      return exchange
          .cluster()
          .rebalance()
          .map(EntityOf::rebalance)
          .orElseGet(() -> RebalanceEntity.nothing(""));
    } catch (NotLeadingException | ClusterUnavailableException e) {
      LOG.debug("how far the rebalance is cannot be told: {}", e.getMessage());
      return RebalanceEntity.nothing("");
    }
  }

  private void stop(Exchange exchange) throws IOException {
    Caller caller = exchange.caller();
    if (!exchange.cluster().stopRebalance(caller) && !exchange.isRepeated()) {
      throw new RefusedException(404, "no rebalance goes on");
    }
    LOG.info("rebalance stopped by {}", caller);
    exchange.reply(204);
  }
}
