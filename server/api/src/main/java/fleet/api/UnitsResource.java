package fleet.api;

import static java.util.stream.Collectors.toSet;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.DestroyCondition;
import fleet.cluster.DestroyResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitView;
import fleet.core.access.Action;
import fleet.core.desired.Unit;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.entities.UnitEntity;
import fleet.entities.UnitPageEntity;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Units: list, read, explain, destroy, restart; {@link UnitPutsResource} has the rest. */
final class UnitsResource {

  private static final Logger LOG = LoggerFactory.getLogger(UnitsResource.class);

  /** Names a unit; repeated for several. fleet 1.0 does not know it, and lists everything. */
  static final String ONLY = "unit";

  /** Names units by names and patterns. fleet 1.0 does not know it, and lists everything. */
  static final String MATCH = "match";

  /** How the audit log names all units. */
  static final String ALL = "*";

  private final Pages<UnitView> pages;

  UnitsResource(int tokenLimit) {
    this.pages = new Pages<>(tokenLimit);
  }

  void list(Exchange exchange) throws IOException {
    boolean options = exchange.flag("options", true);
    Page<UnitView> page = pages.page(exchange, () -> asked(exchange));
    if (options) {
      tellListed(exchange);
    }
    Targets targets = new Targets(exchange.cluster());
    boolean all = !exchange.access().isLimited(Action.CAT);
    exchange.stream(
        new UnitPageEntity(
            page.nextToken().orElse(""),
            page.items().stream()
                .map(view ->
                    EntityMapper.unit(
                        view, options && (all || exchange.access().reads(view, targets))))
                .toList()));
  }

  /** The audit log has which texts were asked for. */
  private static void tellListed(Exchange exchange) {
    List<String> named =
        Stream.concat(exchange.parameters(ONLY).stream(), exchange.parameters(MATCH).stream())
            .toList();
    (named.isEmpty() ? List.of(ALL) : named).forEach(unit -> auditRead(exchange, unit));
  }

  /** All units, or only those that the request names, or describes by patterns. */
  private List<UnitView> asked(Exchange exchange) {
    List<String> named = exchange.parameters(ONLY);
    UnitSelection matching = UnitSelection.of(exchange.parameters(MATCH));
    Cluster asked = exchange.reading();
    if (named.isEmpty() && matching.patterns().isEmpty() && !matching.isEmpty()) {
      return asked.units(matching.names());
    }
    List<UnitView> units = named.isEmpty() ? asked.units() : asked.units(names(named));
    return matching.isEmpty()
        ? units
        : units.stream().filter(unit -> matching.has(unit.unit().name())).toList();
  }

  /** The ones that are valid names of units. */
  static Set<UnitName> names(List<String> texts) {
    return texts.stream().flatMap(text -> UnitName.parse(text).stream()).collect(toSet());
  }

  void read(Exchange exchange, String name) throws IOException {
    UnitEntity unit = entity(exchange, view(exchange.reading(), existing(name)));
    auditRead(exchange, name);
    exchange.reply(unit);
  }

  /** The text of units may hold secrets: reading it is audited. */
  static void auditRead(Exchange exchange, String unit) {
    exchange.answer().touch(unit, 200, "");
  }

  /** A subject that may not read the text gets the rest, unless it asks for the text. */
  private static UnitEntity entity(Exchange exchange, UnitView view) {
    Targets targets = new Targets(exchange.cluster());
    if (exchange.flag("text")) {
      exchange.access().require(Action.CAT, targets.of(view));
    }
    UnitEntity unit =
        EntityMapper.unit(view, exchange.access().reads(view, targets))
            .withText(exchange.flag("text") ? typed(exchange, view.unit().name()) : "");
    return view.global() ? unit.withRunsOn(exchange.reading().runsOn(view.unit().name())) : unit;
  }

  /** Comments are no reason to fail while the store is not reached. */
  private static String typed(Exchange exchange, UnitName name) {
    try {
      return exchange.cluster().text(name).orElse("");
    } catch (ClusterUnavailableException e) {
      LOG.debug("{}: the comments are not known: {}", name, e.getMessage());
      return "";
    }
  }

  /** Also handles names that no unit can have. */
  static UnitName existing(String name) {
    return UnitName.parse(name).orElseThrow(RefusedException::noSuchUnit);
  }

  static UnitView view(Exchange exchange, String name) {
    return view(exchange.cluster(), existing(name));
  }

  private static UnitView view(Cluster cluster, UnitName name) {
    return cluster.unit(name).orElseThrow(RefusedException::noSuchUnit);
  }

  /** Why it is where it is, or nowhere. */
  void why(Exchange exchange, String name) throws IOException {
    exchange.reply(
        EntityMapper.why(
            exchange.reading().why(existing(name)).orElseThrow(RefusedException::noSuchUnit)));
  }

  void destroy(Exchange exchange, String text) throws IOException {
    UnitName name = existing(text);
    Caller caller = exchange.caller();
    Optional<Unit> before = exchange.cluster().stored(name);
    switch (exchange.cluster().destroy(name, condition(exchange), caller)) {
      case DestroyResult.Destroyed _ -> {}
      case DestroyResult.Kept kept -> throw new RefusedException(409, kept.why());
      case DestroyResult.Unknown _ -> {
        if (!exchange.isRepeated()) {
          throw RefusedException.noSuchUnit();
        }
      }
    }
    exchange
        .answer()
        .touch(name.value(), before.map(unit -> unit.file().hash()).orElse(""), "", 204, "");
    LOG.info("{}: destroyed by {}", name, caller);
    exchange.reply(204);
  }

  private static DestroyCondition condition(Exchange exchange) {
    Optional<String> set = exchange.parameters("set").stream().findFirst();
    Optional<Incarnation> incarnation = exchange.parameter("incarnation").map(Incarnation::new);
    return RefusedException.ifInvalid(() -> new DestroyCondition(set, incarnation));
  }

  void restart(Exchange exchange, String text) throws IOException {
    UnitName name = existing(text);
    Caller caller = exchange.caller();
    answer(exchange, name, caller, "restarted", exchange.cluster().restart(name, caller));
  }

  void startAgain(Exchange exchange, String text) throws IOException {
    UnitName name = existing(text);
    Caller caller = exchange.caller();
    answer(exchange, name, caller, "started again", exchange.cluster().startAgain(name, caller));
  }

  private void answer(
      Exchange exchange, UnitName name, Caller caller, String done, StartResult result)
      throws IOException {
    switch (result) {
      case ACCEPTED -> {
        LOG.info("{}: {} by {}", name, done, caller);
        exchange.reply(202);
      }
      case RUNNING -> exchange.reply(200);
      case UNKNOWN -> throw RefusedException.noSuchUnit();
      case NOT_LAUNCHED -> throw new RefusedException(409, notLaunched(exchange.cluster(), name));
    }
  }

  private static String notLaunched(Cluster cluster, UnitName name) {
    String state = cluster.stored(name).map(unit -> " but " + unit.desired().text()).orElse("");
    return "the desired state of " + name + " is not launched" + state + ": start it first";
  }
}
