package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.api.Route.Where;
import fleet.core.access.Action;
import fleet.core.audit.AuditThrottle;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.question.UnitVerb;
import fleet.dashboard.DashboardFiles;
import fleet.entities.EntityJson;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds the handler of a path, and the name of the request in the audit log. */
final class Routes {

  /** The second is the name from before there was a version 1. */
  private static final List<String> PREFIXES = List.of("/fleet/v1", "/v1-alpha");

  private final UnitsResource units;
  private final StatesResource states;
  private final MachinesResource machines;
  private final QuestionsResource questions;
  private final SystemctlResource systemctl = new SystemctlResource();
  private final ExecResource exec = new ExecResource();
  private final JournalResource journal;
  private final SummariesResource summaries = new SummariesResource();
  private final UsageResource usage;
  private final EventsResource events;
  private final TokensResource tokens = new TokensResource();
  private final ReschedulingResource rescheduling = new ReschedulingResource();
  private final ConfigResource config = new ConfigResource();
  private final PlanResource plan = new PlanResource();
  private final OperationsResource operations = new OperationsResource();
  private final OverviewResource overview = new OverviewResource();
  private final HistoryResource history = new HistoryResource();
  private final MetricsResource metrics;
  private final HealthResource health;
  private final BackupResource backup = new BackupResource();
  private final AccessResource access = new AccessResource();
  private final LoginsResource logins = new LoginsResource();
  private final AuthorityResource authority = new AuthorityResource();
  private final DiscoveryResource discovery = new DiscoveryResource();
  private final DashboardResource dashboard = new DashboardResource();

  Routes(ApiSettings settings, EntityJson json, MetricsResource metrics, HealthResource health) {
    this.units = new UnitsResource(settings.tokenLimit());
    this.states = new StatesResource(settings.tokenLimit());
    this.machines = new MachinesResource(settings.tokenLimit());
    this.questions = new QuestionsResource();
    this.journal = new JournalResource(settings.heartbeat());
    this.usage = new UsageResource(settings.heartbeat());
    this.events = new EventsResource(json, settings.heartbeat());
    this.metrics = metrics;
    this.health = health;
  }

  /**
   * The route of a request; one that refuses if there is none.
   *
   * @param path as it was sent
   */
  Route of(String method, String path) {
    Route route = foundOrRefusing(method, path);
    return method.equals("GET") ? route.reading() : route;
  }

  private Route foundOrRefusing(String method, String path) {
    try {
      return found(method, path);
    } catch (RefusedException e) {
      return Route.refusing(e);
    }
  }

  private Route found(String method, String path) {
    Optional<Route> unversioned = unversioned(path);
    if (unversioned.isPresent()) {
      return unversioned.get();
    }
    if (PREFIXES.contains(path)) {
      throw new RefusedException(405, "");
    }
    List<String> segments = segments(path).orElseThrow(RefusedException::notFound);
    String first = segments.getFirst();
    if (first.equals("operations") && segments.size() > 1) {
      return operation(segments);
    }
    return switch (segments.size()) {
      case 1 -> collection(method, first);
      case 2 -> member(method, first, segments.get(1)).about(segments.get(1));
      case 3 -> partOf(method, first, segments.get(2)).about(segments.get(1));
      default -> throw RefusedException.notFound();
    };
  }

  /** The paths that have no version. */
  private Optional<Route> unversioned(String path) {
    return DashboardFiles.isOfDashboard(path)
        ? Optional.of(new Route(Where.HERE, "dashboard.read", Action.LIST, dashboard::answer))
        : monitoring(path);
  }

  private Optional<Route> monitoring(String path) {
    return switch (path) {
      case "/metrics" ->
          // Those of a server count all of the cluster.
          Optional.of(new Route(Where.HERE, "metrics.read", Action.LIST, metrics::all).ofCluster());
      case MetricsResource.OF_CLUSTER ->
          Optional.of(new Route(Where.LEADER, "metrics.read", Action.LIST, metrics::ofCluster));
      case HealthResource.HEALTH ->
          Optional.of(new Route(Where.HERE, "health.read", Action.HEALTH, health::answerHealth));
      case HealthResource.READINESS ->
          Optional.of(new Route(Where.HERE, "health.read", Action.HEALTH, health::answerReadiness));
      default -> Optional.empty();
    };
  }

  private Route collection(String method, String name) {
    boolean reads = method.equals("GET");
    return switch (name) {
      case "units" ->
          reads
              ? new Route(Where.LEADER, "unit.read", Action.LIST, units::all)
              : new Route(Where.SERVER, "unit.put", Action.SUBMIT, units::all);
      case "state" -> new Route(Where.LEADER, "state.read", Action.LIST, states::list);
      case "unit-summaries" -> new Route(Where.LEADER, "unit.read", Action.LIST, summaries::list);
      case "machines" ->
          reads
              ? new Route(Where.LEADER, "machine.read", Action.LIST, machines::handle)
              : new Route(Where.SERVER, "machine.change", Action.MACHINES, machines::handle);
      case "access" -> new Route(Where.SERVER, "access.read", Action.ACCESS, access::list);
      case "whoami" -> new Route(Where.SERVER, "access.read", Action.LIST, access::caller);
      case "login" ->
          new Route(Where.SERVER, AuditThrottle.LOGIN, Action.LOGIN, logins::login)
              .once(method, "POST");
      case "certificate" ->
          new Route(Where.SERVER, AuditThrottle.RENEW, Action.LIST, logins::renew);
      case "tokens" ->
          new Route(Where.SERVER, "token.create", Action.TOKENS, tokens::handle)
              .once(method, "POST");
      // The leader knows which machines are present.
      case "ca" ->
          reads
              ? new Route(Where.LEADER, "ca.read", Action.LIST, authority::handle)
              : new Route(Where.LEADER, "ca.rotate", Action.AUTHORITY, authority::handle)
                  .once(method, "POST");
      case "etcd-certificates" ->
          new Route(Where.SERVER, "etcd.certify", Action.AUTHORITY, authority::certifyEtcd)
              .once(method, "POST");
      case "rescheduling" ->
          new Route(Where.LEADER, "rescheduling.read", Action.LIST, rescheduling::read);
      case "plan" -> new Route(Where.LEADER, "plan.read", Action.PLAN, plan::answer);
      case "overview" -> new Route(Where.LEADER, "overview.read", Action.LIST, overview::read);
      case "operations" -> new Route(Where.LEADER, "operation.read", Action.LIST, operations::list);
      // The leader answers: only it sees the states of units that may move.
      case "rebalance" ->
          new Route(Where.LEADER, "rebalance.start", Action.REBALANCE, operations::startRebalance);
      case "config" -> new Route(Where.LEADER, "config.read", Action.LIST, config::list);
      case "discovery" -> new Route(Where.HERE, "discovery.read", Action.LIST, discovery::handle);
      case DiscoveryResource.OPEN_API ->
          new Route(Where.HERE, "discovery.read", Action.LIST, discovery::openApi);
      case "events" -> new Route(Where.LEADER, "events.read", Action.LIST, events::follow);
      case "journal" -> new Route(Where.LEADER, "journal.read", Action.JOURNAL, journal::answer);
      case "audit" -> new Route(Where.LEADER, "audit.read", Action.AUDIT, journal::audit);
      case "backup" -> new Route(Where.SERVER, "backup.read", Action.BACKUP, backup::answer);
      case "usage" -> new Route(Where.LEADER, "usage.read", Action.LIST, usage::answer);
      default -> throw RefusedException.notFound();
    };
  }

  /** One operation, which the second segment names, or what the third says to do with it. */
  private Route operation(List<String> segments) {
    String text = segments.get(1);
    OperationId id =
        OperationId.of(text)
            .orElseThrow(
                () -> new RefusedException(404, "there is no operation \"%s\"".formatted(text)));
    Route route =
        switch (segments.size()) {
          case 2 ->
              new Route(
                  Where.LEADER,
                  "operation.read",
                  Action.LIST,
                  (exchange, _) -> operations.one(exchange, id));
          case 3 -> change(id, segments.get(2));
          default -> throw RefusedException.notFound();
        };
    return route.about(id.subject());
  }

  private Route change(OperationId id, String word) {
    OperationChange change = OperationChange.ofText(word).orElseThrow(RefusedException::notFound);
    return new Route(
        Where.SERVER,
        id.kind().text() + "." + word,
        Action.of(id.kind()),
        (exchange, _) -> operations.change(exchange, id, change));
  }

  private Route member(String method, String collection, String name) {
    if (name.isEmpty() || (collection.equals("rescheduling") && !name.equals("resume"))) {
      throw RefusedException.notFound();
    }
    return switch (collection) {
      case "rescheduling" ->
          new Route(Where.SERVER, "rescheduling.resume", Action.MACHINES, rescheduling::resume)
              .ofCluster();
      case "units" -> unit(method);
      case "state" -> new Route(Where.LEADER, "state.read", Action.LIST, states::one);
      case "config" ->
          method.equals("GET")
              ? new Route(Where.LEADER, "config.read", Action.LIST, config::one)
              : new Route(
                  Where.SERVER,
                  method.equals("DELETE") ? "config.unset" : "config.set",
                  Action.CONFIG,
                  config::one);
      case "access" -> access(method, name);
      // The leader answers: it knows the instances.
      case "rollouts" ->
          new Route(Where.LEADER, "rollout.start", Action.ROLLOUT, operations::startRollout)
              .once(method, "PUT");
      case "tokens" -> new Route(Where.SERVER, "token.revoke", Action.TOKENS, tokens::revoke);
      default -> throw RefusedException.notFound();
    };
  }

  private Route unit(String method) {
    return switch (method) {
      case "GET" -> new Route(Where.LEADER, "unit.read", Action.LIST, units::one);
      case "DELETE" -> new Route(Where.SERVER, "unit.destroy", Action.DESTROY, units::one);
      default -> new Route(Where.SERVER, "unit.put", Action.SUBMIT, units::one);
    };
  }

  /** The leader answers: grants may be limited to where a unit is, and it has the states. */
  private Route access(String method, String name) {
    if (name.equals("check") && method.equals("POST")) {
      return new Route(Where.LEADER, "access.check", Action.ACCESS, access::check);
    }
    String change = method.equals("DELETE") ? "access.revoke" : "access.grant";
    return new Route(Where.SERVER, change, Action.ACCESS, access::one);
  }

  /** It ends also for machines that are gone for good: nothing has to be known of them. */
  private Route maintenance(String method) {
    return method.equals("DELETE")
        ? new Route(
            Where.SERVER, "machine.end-maintenance", Action.MACHINES, machines::endMaintenance)
        : new Route(Where.LEADER, "machine.maintain", Action.MACHINES, machines::maintain);
  }

  private Route partOf(String method, String collection, String part) {
    return switch (collection + "/" + part) {
      case "machines/drain" ->
          new Route(Where.LEADER, "machine.drain", Action.DRAIN, machines::drain);
      case "machines/cordon" ->
          new Route(
              Where.LEADER,
              "machine.cordon",
              Action.MACHINES,
              (exchange, id) -> machines.cordon(exchange, id, true));
      case "machines/maintenance" -> maintenance(method);
      case "machines/exec" ->
          new Route(Where.LEADER, "machine.exec", Action.EXEC, exec::run).once(method, "POST");
      // The audit log has the command, and not each key that is pressed.
      case "machines/exec-input" ->
          new Route(Where.LEADER, "machine.read", Action.EXEC, exec::input);
      // Also for machines that are gone for good: nothing has to be known of them.
      case "machines/uncordon" ->
          new Route(
              Where.SERVER,
              "machine.uncordon",
              Action.MACHINES,
              (exchange, id) -> machines.cordon(exchange, id, false));
      case "machines/remove" ->
          new Route(Where.SERVER, "machine.remove", Action.MACHINES, machines::remove).ofCluster();
      case "machines/readmit" ->
          new Route(Where.SERVER, "machine.readmit", Action.MACHINES, machines::readmit)
              .ofCluster();
      case "access/invite" ->
          new Route(Where.SERVER, "access.invite", Action.ACCESS, access::invite)
              .once(method, "POST");
      case "units/restart" ->
          new Route(Where.SERVER, "unit.restart", Action.RESTART, units::restart)
              .once(method, "POST");
      // The leader answers: it knows whether the unit is global.
      case "units/restart-in-turns" ->
          new Route(Where.LEADER, "restart.start", Action.RESTART, operations::startRestart)
              .once(method, "POST");
      case "units/history" -> new Route(Where.SERVER, "unit.read", Action.CAT, history::read);
      // The leader answers: only it sees whether there is anything to start.
      case "units/start" -> new Route(Where.LEADER, "unit.start", Action.START, units::startAgain);
      case "units/why" -> new Route(Where.LEADER, "unit.read", Action.WHY, units::why);
      case "units/status" -> new Route(Where.LEADER, "unit.read", Action.STATUS, questions::status);
      case "units/journal" ->
          new Route(Where.LEADER, "unit.read", Action.JOURNAL, questions::journal);
      default ->
          UnitVerb.ofText(part)
              .filter(_ -> collection.equals("units"))
              .map(verb -> systemctl(method, verb))
              .orElseThrow(RefusedException::notFound);
    };
  }

  private Route systemctl(String method, UnitVerb verb) {
    Route.Work work = (exchange, unit) -> systemctl.carryOut(exchange, unit, verb);
    return new Route(Where.LEADER, "unit." + verb.text(), Action.RESTART, work)
        .once(method, "POST");
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
