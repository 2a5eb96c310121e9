package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.entities.EntityJson;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds what answers a path. */
final class Routes {

  /** The second is the name from before there was a version 1. */
  private static final List<String> PREFIXES = List.of("/fleet/v1", "/v1-alpha");

  private final UnitsResource units;
  private final StatesResource states;
  private final MachinesResource machines;
  private final QuestionsResource questions;
  private final JournalResource journal;
  private final UsageResource usage;
  private final EventsResource events;
  private final TokensResource tokens = new TokensResource();
  private final ReschedulingResource rescheduling = new ReschedulingResource();
  private final ConfigResource config = new ConfigResource();
  private final PlanResource plan = new PlanResource();
  private final RolloutsResource rollouts = new RolloutsResource();
  private final RebalanceResource rebalance = new RebalanceResource();
  private final MetricsResource metrics;
  private final DiscoveryResource discovery = new DiscoveryResource();

  Routes(ApiSettings settings, EntityJson json, MetricsResource metrics) {
    this.units = new UnitsResource(settings.tokenLimit());
    this.states = new StatesResource(settings.tokenLimit());
    this.machines = new MachinesResource(settings.tokenLimit());
    this.questions = new QuestionsResource();
    this.journal = new JournalResource(settings.heartbeat());
    this.usage = new UsageResource(settings.heartbeat());
    this.events = new EventsResource(json, settings.heartbeat());
    this.metrics = metrics;
  }

  /**
   * What answers a request.
   *
   * @param path as it was sent
   * @throws RefusedException where nothing does
   */
  Route of(String method, String path) {
    if (path.equals("/metrics")) {
      return Route.here(metrics::all);
    }
    if (path.equals(MetricsResource.OF_CLUSTER)) {
      return Route.leader(metrics::ofCluster);
    }
    if (path.equals("/") || PREFIXES.contains(path)) {
      throw new RefusedException(405, "");
    }
    List<String> segments = segments(path).orElseThrow(RefusedException::notFound);
    return switch (segments.size()) {
      case 1 -> collection(method, segments.getFirst());
      case 2 -> member(method, segments.getFirst(), segments.get(1));
      case 3 -> partOf(method, segments.getFirst(), segments.get(1), segments.get(2));
      default -> throw RefusedException.notFound();
    };
  }

  private Route collection(String method, String name) {
    return switch (name) {
      case "units" -> Route.readOrChange(method, units::all);
      case "state" -> Route.leader(states::list);
      case "machines" -> Route.readOrChange(method, machines::handle);
      case "tokens" -> Route.server(tokens::handle).once(method, "POST");
      case "rescheduling" -> Route.leader(rescheduling::read);
      case "plan" -> Route.leader(plan::answer);
      case "rollouts" -> Route.leader(rollouts::list);
      // Which units may move is to be seen where the states are.
      case "rebalance" ->
          method.equals("DELETE")
              ? Route.server(rebalance::handle)
              : Route.leader(rebalance::handle);
      case "config" -> Route.leader(config::list);
      case "discovery" -> Route.here(discovery::handle);
      case "events" -> Route.leader(events::follow);
      case "journal" -> Route.leader(journal::answer);
      case "usage" -> Route.leader(usage::answer);
      default -> throw RefusedException.notFound();
    };
  }

  private Route member(String method, String collection, String name) {
    if (name.isEmpty()) {
      throw RefusedException.notFound();
    }
    return switch (collection) {
      case "rescheduling" -> {
        if (!name.equals("resume")) {
          throw RefusedException.notFound();
        }
        yield Route.server(rescheduling::resume);
      }
      case "units" -> Route.readOrChange(method, exchange -> units.one(exchange, name));
      case "state" -> Route.leader(exchange -> states.one(exchange, name));
      case "config" -> Route.readOrChange(method, exchange -> config.one(exchange, name));
      // Which instances there are is to be seen where the states are.
      case "rollouts" -> Route.leader(exchange -> rollouts.one(exchange, name)).once(method, "PUT");
      case "tokens" -> Route.server(exchange -> tokens.revoke(exchange, name));
      default -> throw RefusedException.notFound();
    };
  }

  private Route partOf(String method, String collection, String name, String part) {
    return switch (collection) {
      case "machines" -> machine(name, part);
      case "rollouts" -> Route.server(exchange -> rollouts.change(exchange, name, part));
      case "units" -> unit(method, name, part);
      default -> throw RefusedException.notFound();
    };
  }

  private Route unit(String method, String unit, String part) {
    return switch (part) {
      case "restart" ->
          Route.server(exchange -> units.restart(exchange, unit)).once(method, "POST");
      // Whether there is anything to start is to be seen where the states are.
      case "start" -> Route.leader(exchange -> units.startAgain(exchange, unit));
      case "why" -> Route.leader(exchange -> units.why(exchange, unit));
      case "status" -> Route.leader(exchange -> questions.status(exchange, unit));
      case "journal" -> Route.leader(exchange -> questions.journal(exchange, unit));
      default -> throw RefusedException.notFound();
    };
  }

  private Route machine(String id, String order) {
    return switch (order) {
      case "drain" -> Route.leader(exchange -> machines.drain(exchange, id));
      case "cordon" -> Route.leader(exchange -> machines.cordon(exchange, id, true));
      // Machines that went for good, too: nothing has to be known of them.
      case "uncordon" -> Route.server(exchange -> machines.cordon(exchange, id, false));
      default -> throw RefusedException.notFound();
    };
  }

  /** The decoded parts of a path below a prefix. */
  private static Optional<List<String>> segments(String path) {
    return PREFIXES.stream()
        .filter(prefix -> path.startsWith(prefix + "/"))
        .findFirst()
        .map(prefix -> path.substring(prefix.length() + 1))
        .map(rest -> Arrays.stream(rest.split("/", -1)).map(Routes::decode).toList());
  }

  private static String decode(String segment) {
    try {
      return URLDecoder.decode(segment.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      throw RefusedException.badRequest("malformed path: " + e.getMessage());
    }
  }
}
