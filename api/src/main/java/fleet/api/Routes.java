package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
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
  private final TokensResource tokens;
  private final ReschedulingResource rescheduling;
  private final ConfigResource config;
  private final PlanResource plan;
  private final RolloutsResource rollouts;
  private final RebalanceResource rebalance;
  private final MetricsResource metrics;
  private final DiscoveryResource discovery = new DiscoveryResource();

  Routes(
      UnitsResource units,
      StatesResource states,
      MachinesResource machines,
      QuestionsResource questions,
      JournalResource journal,
      UsageResource usage,
      EventsResource events,
      TokensResource tokens,
      ReschedulingResource rescheduling,
      ConfigResource config,
      PlanResource plan,
      RolloutsResource rollouts,
      RebalanceResource rebalance,
      MetricsResource metrics) {
    this.units = units;
    this.states = states;
    this.machines = machines;
    this.questions = questions;
    this.journal = journal;
    this.usage = usage;
    this.events = events;
    this.tokens = tokens;
    this.rescheduling = rescheduling;
    this.config = config;
    this.plan = plan;
    this.rollouts = rollouts;
    this.rebalance = rebalance;
    this.metrics = metrics;
  }

  void answer(Exchange exchange, String path) throws IOException, InterruptedException {
    if (path.equals("/metrics")) {
      metrics.handle(exchange);
      return;
    }
    if (path.equals("/") || PREFIXES.contains(path)) {
      throw new RefusedException(405, "");
    }
    List<String> segments = segments(path).orElseThrow(RefusedException::notFound);
    switch (segments.size()) {
      case 1 -> collection(exchange, segments.getFirst());
      case 2 -> member(exchange, segments.getFirst(), segments.get(1));
      case 3 -> partOf(exchange, segments);
      default -> throw RefusedException.notFound();
    }
  }

  private void collection(Exchange exchange, String name) throws IOException {
    switch (name) {
      case "units" -> units.all(exchange);
      case "state" -> states.list(exchange);
      case "machines" -> machines.handle(exchange);
      case "tokens" -> tokens.handle(exchange);
      case "rescheduling" -> rescheduling.read(exchange);
      case "plan" -> plan.answer(exchange);
      case "rollouts" -> rollouts.list(exchange);
      case "rebalance" -> rebalance.handle(exchange);
      case "config" -> config.list(exchange);
      case "discovery" -> discovery.handle(exchange);
      case "events" -> events.follow(exchange);
      case "journal" -> journal.answer(exchange);
      case "usage" -> usage.answer(exchange);
      default -> throw RefusedException.notFound();
    }
  }

  private void member(Exchange exchange, String collection, String name) throws IOException {
    if (name.isEmpty()) {
      throw RefusedException.notFound();
    }
    if (collection.equals("rescheduling") && name.equals("resume")) {
      rescheduling.resume(exchange);
      return;
    }
    switch (collection) {
      case "units" -> units.one(exchange, name);
      case "state" -> states.one(exchange, name);
      case "config" -> config.one(exchange, name);
      case "rollouts" -> rollouts.one(exchange, name);
      case "tokens" -> tokens.revoke(exchange, name);
      default -> throw RefusedException.notFound();
    }
  }

  private void partOf(Exchange exchange, List<String> segments)
      throws IOException, InterruptedException {
    if (segments.getFirst().equals("machines")) {
      machine(exchange, segments.get(1), segments.get(2));
      return;
    }
    if (segments.getFirst().equals("rollouts")) {
      rollouts.change(exchange, segments.get(1), segments.get(2));
      return;
    }
    if (!segments.getFirst().equals("units")) {
      throw RefusedException.notFound();
    }
    String unit = segments.get(1);
    switch (segments.get(2)) {
      case "restart" -> units.restart(exchange, unit);
      case "start" -> units.startAgain(exchange, unit);
      case "why" -> units.why(exchange, unit);
      case "status" -> questions.status(exchange, unit);
      case "journal" -> questions.journal(exchange, unit);
      default -> throw RefusedException.notFound();
    }
  }

  private void machine(Exchange exchange, String id, String order) throws IOException {
    switch (order) {
      case "drain" -> machines.drain(exchange, id);
      case "cordon" -> machines.cordon(exchange, id, true);
      case "uncordon" -> machines.cordon(exchange, id, false);
      default -> throw RefusedException.notFound();
    }
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
