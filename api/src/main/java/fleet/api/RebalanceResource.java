package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.Intent;
import fleet.cluster.RebalanceStart;
import fleet.entities.RebalanceEntity;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rebalances: begin one, say how far it is, stop it. */
final class RebalanceResource {

  private static final Logger LOG = LoggerFactory.getLogger(RebalanceResource.class);

  private final Cluster cluster;

  RebalanceResource(Cluster cluster) {
    this.cluster = cluster;
  }

  void handle(Exchange exchange) throws IOException {
    exchange.allow(
        "only GET, POST and DELETE supported against this resource", "GET", "POST", "DELETE");
    switch (exchange.request().getMethod()) {
      case "POST" -> start(exchange);
      case "DELETE" -> stop(exchange);
      default ->
          exchange.reply(
              cluster
                  .rebalance()
                  .map(EntityOf::rebalance)
                  .orElseThrow(() -> new RefusedException(404, "no rebalance was ever asked for")));
    }
  }

  private void start(Exchange exchange) throws IOException {
    var wish =
        new Intent.Rebalance(
            number(exchange, "within", 1),
            number(exchange, "moves", Intent.Rebalance.MOST_MOVES),
            number(exchange, "maxUnavailable", 1));
    Caller caller = exchange.caller();
    RebalanceStart start = cluster.startRebalance(wish, caller);
    switch (start.kind()) {
      case UNDER_WAY, REFUSED -> throw new RefusedException(409, start.text());
      case NOTHING -> exchange.reply(RebalanceEntity.nothing(start.text()));
      case BEGUN -> {
        LOG.info("rebalance begun by {}: {}", caller, wish);
        exchange.reply(
            201,
            cluster
                .rebalance()
                .map(EntityOf::rebalance)
                .orElseGet(() -> RebalanceEntity.nothing(""))
                .withReason(start.text()));
      }
    }
  }

  private static int number(Exchange exchange, String name, int otherwise) {
    String text = exchange.parameter(name).orElse(Integer.toString(otherwise));
    return WholeNumber.of(text, 1)
        .orElseThrow(() ->
            RefusedException.badRequest(
                name + " must be a whole number of at least 1, not " + text));
  }

  private void stop(Exchange exchange) throws IOException {
    Caller caller = exchange.caller();
    if (!cluster.stopRebalance(caller)) {
      throw new RefusedException(404, "no rebalance goes on");
    }
    LOG.info("rebalance stopped by {}", caller);
    exchange.reply(204);
  }
}
