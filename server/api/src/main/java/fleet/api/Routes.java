package fleet.api;

import static fleet.api.Route.Where.HERE;
import static fleet.api.Route.Where.LEADER;
import static fleet.api.Route.Where.SERVER;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The table of all paths and methods: who answers, the name in the audit log, the action that a
 * subject must be allowed, and the handler.
 */
final class Routes {

  /** The second is the name from before there was a version 1. */
  private static final List<String> PREFIXES = List.of("/fleet/v1", "/v1-alpha");

  /** Stands for the part of a path that names something. */
  private static final String ANY = "*";

  /** Stands for all paths of the dashboard. */
  private static final String DASHBOARD = "/";

  /** Stands for the methods that have no row of their own. */
  private static final String OTHERS = "others";

  /** By the parts of the path below a prefix, then by method. */
  private final Map<List<String>, SequencedMap<String, Route>> table = new HashMap<>();

  private final Map<String, SequencedMap<String, Route>> unversioned = new HashMap<>();

  private final OperationsResource operations = new OperationsResource();

  Routes(ApiSettings settings, EntityJson json, MetricsResource metrics, HealthResource health) {
    addMonitoring(metrics, health);
    addUnits(settings);
    addMachines(settings);
    addCluster();
    addAccess();
    addStreams(settings, json);
    addDescriptions();
  }

  private void addMonitoring(MetricsResource metrics, HealthResource health) {
    // Those of a server count all of the cluster.
    on("GET /metrics", new Route(HERE, "metrics.read", Action.LIST, metrics::all).ofCluster());
    on(
        LEADER,
        "GET " + MetricsResource.OF_CLUSTER,
        "metrics.read",
        Action.LIST,
        metrics::ofCluster);
    on(HERE, "GET " + HealthResource.HEALTH, "health.read", Action.HEALTH, health::answerHealth);
    on(
        HERE,
        "GET " + HealthResource.READINESS,
        "health.read",
        Action.HEALTH,
        health::answerReadiness);
  }

  private void addUnits(ApiSettings settings) {
    var units = new UnitsResource(settings.tokenLimit());
    var puts = new UnitPutsResource();
    var states = new StatesResource(settings.tokenLimit());
    var questions = new QuestionsResource();
    on(LEADER, "GET units", "unit.read", Action.LIST, units::list);
    on(SERVER, "PUT units", "unit.put", Action.SUBMIT, puts::several);
    // With the wording of fleet 1.0, which does not have the other.
    on(
        SERVER,
        OTHERS + " units",
        "unit.put",
        Action.SUBMIT,
        exchange -> exchange.refuseMethod("only GET supported against this resource", "GET, PUT"));
    on(LEADER, "GET units/*", "unit.read", Action.LIST, units::read);
    on(SERVER, "PUT units/*", "unit.put", Action.SUBMIT, puts::one);
    on(SERVER, "DELETE units/*", "unit.destroy", Action.DESTROY, units::destroy);
    on(LEADER, "GET unit-summaries", "unit.read", Action.LIST, new SummariesResource()::list);
    on(LEADER, "GET state", "state.read", Action.LIST, states::list);
    on(LEADER, "GET state/*", "state.read", Action.LIST, states::one);
    on(SERVER, "GET units/*/history", "unit.read", Action.CAT, new HistoryResource()::read);
    on(LEADER, "GET units/*/why", "unit.read", Action.WHY, units::why);
    on(LEADER, "GET units/*/status", "unit.read", Action.STATUS, questions::status);
    on(LEADER, "GET units/*/journal", "unit.read", Action.JOURNAL, questions::journal);
    // The leader answers: only it sees whether there is anything to start.
    on(LEADER, "POST units/*/start", "unit.start", Action.START, units::startAgain);
    once(SERVER, "POST units/*/restart", "unit.restart", Action.RESTART, units::restart);
    var systemctl = new SystemctlResource();
    for (UnitVerb verb : UnitVerb.values()) {
      once(
          LEADER,
          "POST units/*/" + verb.text(),
          "unit." + verb.text(),
          Action.RESTART,
          (exchange, unit) -> systemctl.carryOut(exchange, unit, verb));
    }
  }

  private void addMachines(ApiSettings settings) {
    var machines = new MachinesResource(settings.tokenLimit());
    var exec = new ExecResource();
    on(LEADER, "GET machines", "machine.read", Action.LIST, machines::list);
    on(SERVER, "PATCH machines", "machine.change", Action.MACHINES, machines::patch);
    on(LEADER, "POST machines/*/drain", "machine.drain", Action.DRAIN, machines::drain);
    on(LEADER, "POST machines/*/cordon", "machine.cordon", Action.MACHINES, machines::cordon);
    // Ending something needs not know the machine: it may be gone for good.
    on(SERVER, "POST machines/*/uncordon", "machine.uncordon", Action.MACHINES, machines::uncordon);
    on(
        LEADER,
        "POST machines/*/maintenance",
        "machine.maintain",
        Action.MACHINES,
        machines::maintain);
    on(
        SERVER,
        "DELETE machines/*/maintenance",
        "machine.end-maintenance",
        Action.MACHINES,
        machines::endMaintenance);
    once(LEADER, "POST machines/*/exec", "machine.exec", Action.EXEC, exec::run);
    // The audit log has the command, and not each key that is pressed.
    on(LEADER, "PUT machines/*/exec-input", "machine.read", Action.EXEC, exec::input);
    on(
        "POST machines/*/remove",
        new Route(SERVER, "machine.remove", Action.MACHINES, machines::remove).ofCluster());
    on(
        "POST machines/*/readmit",
        new Route(SERVER, "machine.readmit", Action.MACHINES, machines::readmit).ofCluster());
  }

  private void addCluster() {
    var rescheduling = new ReschedulingResource();
    var config = new ConfigResource();
    on(LEADER, "GET overview", "overview.read", Action.LIST, new OverviewResource()::read);
    on(LEADER, "GET rescheduling", "rescheduling.read", Action.LIST, rescheduling::read);
    on(
        "POST rescheduling/resume",
        new Route(SERVER, "rescheduling.resume", Action.MACHINES, rescheduling::resume)
            .ofCluster());
    on(LEADER, "GET config", "config.read", Action.LIST, config::list);
    on(LEADER, "GET config/*", "config.read", Action.LIST, config::read);
    on(SERVER, "PUT config/*", "config.set", Action.CONFIG, config::set);
    on(SERVER, "DELETE config/*", "config.unset", Action.CONFIG, config::unset);
    on(LEADER, "POST plan", "plan.read", Action.PLAN, new PlanResource()::answer);
    on(SERVER, "GET backup", "backup.read", Action.BACKUP, new BackupResource()::answer);
    on(LEADER, "GET operations", "operation.read", Action.LIST, operations::list);
    // The leader answers: it sees the states of units that may move, the instances of a template,
    // and whether a unit is global.
    on(LEADER, "POST rebalance", "rebalance.start", Action.REBALANCE, operations::startRebalance);
    once(LEADER, "PUT rollouts/*", "rollout.start", Action.ROLLOUT, operations::startRollout);
    once(
        LEADER,
        "POST units/*/restart-in-turns",
        "restart.start",
        Action.RESTART,
        operations::startRestart);
  }

  private void addAccess() {
    var access = new AccessResource();
    var logins = new LoginsResource();
    var tokens = new TokensResource();
    var authority = new AuthorityResource();
    on(SERVER, "GET access", "access.read", Action.ACCESS, access::list);
    on(SERVER, "PUT access/*", "access.grant", Action.ACCESS, access::grant);
    on(SERVER, "DELETE access/*", "access.revoke", Action.ACCESS, access::revoke);
    // The leader answers: grants may be limited to where a unit is, and it has the states.
    on(LEADER, "POST access/check", "access.check", Action.ACCESS, access::check);
    once(SERVER, "POST access/*/invite", "access.invite", Action.ACCESS, access::invite);
    on(SERVER, "GET whoami", "access.read", Action.LIST, access::caller);
    once(SERVER, "POST login", AuditThrottle.LOGIN, Action.LOGIN, logins::login);
    on(SERVER, "POST certificate", AuditThrottle.RENEW, Action.LIST, logins::renew);
    on(SERVER, "GET tokens", "token.read", Action.TOKENS, tokens::list);
    once(SERVER, "POST tokens", "token.create", Action.TOKENS, tokens::create);
    on(SERVER, "DELETE tokens/*", "token.revoke", Action.TOKENS, tokens::revoke);
    // The leader knows which machines are present.
    on(LEADER, "GET ca", "ca.read", Action.LIST, authority::read);
    once(LEADER, "POST ca", "ca.rotate", Action.AUTHORITY, authority::rotate);
    once(
        SERVER, "POST etcd-certificates", "etcd.certify", Action.AUTHORITY, authority::certifyEtcd);
  }

  private void addStreams(ApiSettings settings, EntityJson json) {
    var events = new EventsResource(json, settings.heartbeat());
    var journal = new JournalResource(settings.heartbeat());
    var usage = new UsageResource(settings.heartbeat());
    on(LEADER, "GET events", "events.read", Action.LIST, events::follow);
    on(LEADER, "GET journal", "journal.read", Action.JOURNAL, journal::answer);
    on(LEADER, "POST journal", "journal.read", Action.JOURNAL, journal::answer);
    on(LEADER, "GET audit", "audit.read", Action.AUDIT, journal::audit);
    on(LEADER, "GET usage", "usage.read", Action.LIST, usage::answer);
  }

  private void addDescriptions() {
    var discovery = new DiscoveryResource();
    var dashboard = new DashboardResource();
    on(HERE, "GET discovery", "discovery.read", Action.LIST, discovery::read);
    on(
        HERE,
        OTHERS + " discovery",
        "discovery.read",
        Action.LIST,
        _ -> {
          throw DiscoveryResource.otherMethod();
        });
    on(
        HERE,
        "GET " + DiscoveryResource.OPEN_API,
        "discovery.read",
        Action.LIST,
        discovery::openApi);
    on(HERE, "GET " + DASHBOARD, "dashboard.read", Action.LIST, dashboard::answer);
    on(HERE, "HEAD " + DASHBOARD, "dashboard.read", Action.LIST, dashboard::answer);
  }

  // ---- rows

  private void on(Where where, String request, String name, Action action, Route.Work work) {
    on(request, new Route(where, name, action, work));
  }

  private void on(Where where, String request, String name, Action action, Route.WholeWork work) {
    on(request, new Route(where, name, action, work));
  }

  /** A row of a request that is never carried out twice. */
  private void once(Where where, String request, String name, Action action, Route.Work work) {
    on(request, new Route(where, name, action, work).once());
  }

  private void once(Where where, String request, String name, Action action, Route.WholeWork work) {
    on(request, new Route(where, name, action, work).once());
  }

  private void on(String request, Route route) {
    String method = request.substring(0, request.indexOf(' '));
    String path = request.substring(request.indexOf(' ') + 1);
    var rows =
        path.startsWith("/")
            ? unversioned.computeIfAbsent(path, _ -> new LinkedHashMap<>())
            : table.computeIfAbsent(List.of(path.split("/")), _ -> new LinkedHashMap<>());
    rows.put(method, route);
  }

  // ---- look-up

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
    var whole = unversioned.get(DashboardFiles.isOfDashboard(path) ? DASHBOARD : path);
    if (whole != null) {
      return row(method, whole);
    }
    if (PREFIXES.contains(path)) {
      throw new RefusedException(405, "");
    }
    List<String> parts = parts(path);
    if (parts.size() == 1) {
      return row(method, rows(method, parts));
    }
    return parts.getFirst().equals("operations")
        ? operation(method, parts)
        : row(method, rows(method, parts)).about(parts.get(1));
  }

  private SequencedMap<String, Route> rows(String method, List<String> parts) {
    var exact = Optional.ofNullable(table.get(parts));
    if (parts.size() == 1 || exact.filter(rows -> rows.containsKey(method)).isPresent()) {
      return exact.orElseThrow(RefusedException::notFound);
    }
    List<String> named = new ArrayList<>(parts);
    named.set(1, ANY);
    return Optional.ofNullable(table.get(named))
        .or(() -> exact)
        .filter(_ -> parts.size() > 2 || !parts.getLast().isEmpty())
        .orElseThrow(RefusedException::notFound);
  }

  /** A method without a row is refused in the name of the first that changes something. */
  private static Route row(String method, SequencedMap<String, Route> rows) {
    return Stream.of(method, OTHERS)
        .filter(rows::containsKey)
        .findFirst()
        .map(rows::get)
        .orElseGet(() ->
            rows.entrySet().stream()
                .filter(row -> !row.getKey().equals("GET"))
                .findFirst()
                .orElseGet(rows::firstEntry)
                .getValue()
                .refused(exchange -> exchange.refuseMethod(rows.sequencedKeySet())));
  }

  /** One operation, which the second part names, or what the third says to do with it. */
  private Route operation(String method, List<String> parts) {
    OperationId id =
        OperationId.of(parts.get(1))
            .orElseThrow(() ->
                new RefusedException(404, "there is no operation \"%s\"".formatted(parts.get(1))));
    SortedMap<String, Route> rows =
        new TreeMap<>(
            switch (parts.size()) {
              case 2 ->
                  Map.of(
                      "GET",
                      new Route(
                          LEADER,
                          "operation.read",
                          Action.LIST,
                          (exchange, _) -> operations.one(exchange, id)));
              case 3 -> Map.of("POST", change(id, parts.get(2)));
              default -> throw RefusedException.notFound();
            });
    return row(method, rows).about(id.subject());
  }

  private Route change(OperationId id, String word) {
    OperationChange change = OperationChange.ofText(word).orElseThrow(RefusedException::notFound);
    return new Route(
        SERVER,
        id.kind().text() + "." + word,
        Action.of(id.kind()),
        (exchange, _) -> operations.change(exchange, id, change));
  }

  /** The decoded parts of a path below a prefix. */
  private static List<String> parts(String path) {
    return PREFIXES.stream()
        .filter(prefix -> path.startsWith(prefix + "/"))
        .findFirst()
        .map(prefix -> path.substring(prefix.length() + 1))
        .map(rest -> Arrays.stream(rest.split("/", -1)).map(Routes::decode).toList())
        .orElseThrow(RefusedException::notFound);
  }

  private static String decode(String segment) {
    try {
      return URLDecoder.decode(segment.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      throw RefusedException.badRequest("malformed path: " + e.getMessage());
    }
  }
}
