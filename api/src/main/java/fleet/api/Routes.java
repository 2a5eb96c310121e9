package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.access.Action;
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
  private final AccessResource access = new AccessResource();
  private final LoginsResource logins = new LoginsResource();
  private final AuthorityResource authority = new AuthorityResource();
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
      return Route.here(Action.LIST, metrics::all);
    }
    if (path.equals(MetricsResource.OF_CLUSTER)) {
      return Route.leader(Action.LIST, metrics::ofCluster);
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
      case "units" -> Route.readOrChange(method, Action.SUBMIT, units::all);
      case "state" -> Route.leader(Action.LIST, states::list);
      case "machines" -> Route.readOrChange(method, Action.MACHINES, machines::handle);
      case "access" -> Route.server(Action.ACCESS, access::list).ofCluster();
      case "login" -> Route.server(Action.LOGIN, logins::login).once(method, "POST");
      case "certificate" -> Route.server(Action.LIST, logins::renew);
      case "tokens" -> Route.server(Action.TOKENS, tokens::handle).ofCluster().once(method, "POST");
      // Which machines are there, the leader knows.
      case "ca" ->
          method.equals("GET")
              ? Route.leader(Action.LIST, authority::handle)
              : Route.leader(Action.AUTHORITY, authority::handle).ofCluster().once(method, "POST");
      case "etcd-certificates" ->
          Route.server(Action.AUTHORITY, authority::certifyEtcd).ofCluster().once(method, "POST");
      case "rescheduling" -> Route.leader(Action.LIST, rescheduling::read);
      case "plan" -> Route.leader(Action.PLAN, plan::answer);
      case "rollouts" -> Route.leader(Action.LIST, rollouts::list);
      case "rebalance" -> rebalance(method);
      case "config" -> Route.leader(Action.LIST, config::list);
      case "discovery" -> Route.here(Action.LIST, discovery::handle);
      case "events" -> Route.leader(Action.LIST, events::follow);
      case "journal" -> Route.leader(Action.JOURNAL, journal::answer);
      case "audit" -> Route.leader(Action.AUDIT, journal::audit).ofCluster();
      case "usage" -> Route.leader(Action.LIST, usage::answer);
      default -> throw RefusedException.notFound();
    };
  }

  /** Units that may move are to be seen where the states are. */
  private Route rebalance(String method) {
    return switch (method) {
      case "GET" -> Route.leader(Action.LIST, rebalance::handle);
      case "DELETE" -> Route.server(Action.REBALANCE, rebalance::handle).ofCluster();
      default -> Route.leader(Action.REBALANCE, rebalance::handle).ofCluster();
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
        yield Route.server(Action.MACHINES, rescheduling::resume).ofCluster();
      }
      case "units" ->
          Route.readOrChange(
                  method,
                  method.equals("DELETE") ? Action.DESTROY : Action.SUBMIT,
                  exchange -> units.one(exchange, name))
              .of(name);
      case "state" -> Route.leader(Action.LIST, exchange -> states.one(exchange, name)).of(name);
      case "config" -> config(method, name);
      case "access" -> access(method, name);
      // Which instances there are is to be seen where the states are.
      case "rollouts" ->
          Route.leader(
                  method.equals("GET") ? Action.LIST : Action.ROLLOUT,
                  exchange -> rollouts.one(exchange, name))
              .of(name)
              .once(method, "PUT");
      case "tokens" ->
          Route.server(Action.TOKENS, exchange -> tokens.revoke(exchange, name)).ofCluster();
      default -> throw RefusedException.notFound();
    };
  }

  /** The leader answers: grants may be limited to where a unit is, and it has the states. */
  private Route access(String method, String name) {
    return (name.equals("check") && method.equals("POST")
            ? Route.leader(Action.ACCESS, access::check)
            : Route.server(Action.ACCESS, exchange -> access.one(exchange, name)))
        .ofCluster();
  }

  private Route config(String method, String name) {
    Route route = Route.readOrChange(method, Action.CONFIG, exchange -> config.one(exchange, name));
    return route.action() == Action.CONFIG ? route.ofCluster() : route;
  }

  private Route partOf(String method, String collection, String name, String part) {
    return switch (collection) {
      case "machines" -> machine(method, name, part);
      case "access" -> {
        if (!part.equals("invite")) {
          throw RefusedException.notFound();
        }
        yield Route.server(Action.ACCESS, exchange -> access.invite(exchange, name))
            .ofCluster()
            .once(method, "POST");
      }
      case "rollouts" ->
          Route.server(Action.ROLLOUT, exchange -> rollouts.change(exchange, name, part)).of(name);
      case "units" -> unit(method, name, part).of(name);
      default -> throw RefusedException.notFound();
    };
  }

  private Route unit(String method, String unit, String part) {
    return switch (part) {
      case "restart" ->
          Route.server(Action.RESTART, exchange -> units.restart(exchange, unit))
              .once(method, "POST");
      // Whether there is anything to start is to be seen where the states are.
      case "start" -> Route.leader(Action.START, exchange -> units.startAgain(exchange, unit));
      case "why" -> Route.leader(Action.WHY, exchange -> units.why(exchange, unit));
      case "status" -> Route.leader(Action.STATUS, exchange -> questions.status(exchange, unit));
      case "journal" -> Route.leader(Action.JOURNAL, exchange -> questions.journal(exchange, unit));
      default -> throw RefusedException.notFound();
    };
  }

  private Route machine(String method, String id, String order) {
    return switch (order) {
      case "drain" ->
          Route.leader(
              method.equals("GET") ? Action.LIST : Action.DRAIN,
              exchange -> machines.drain(exchange, id));
      case "cordon" ->
          Route.leader(Action.MACHINES, exchange -> machines.cordon(exchange, id, true));
      // Machines that went for good, too: nothing has to be known of them.
      case "uncordon" ->
          Route.server(Action.MACHINES, exchange -> machines.cordon(exchange, id, false));
      case "remove" ->
          Route.server(Action.MACHINES, exchange -> machines.remove(exchange, id)).ofCluster();
      case "readmit" ->
          Route.server(Action.MACHINES, exchange -> machines.readmit(exchange, id)).ofCluster();
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
