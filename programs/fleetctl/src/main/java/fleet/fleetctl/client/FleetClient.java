package fleet.fleetctl.client;

import fleet.core.requirements.Glob;
import fleet.entities.HistoryEntity;
import fleet.entities.IntentEntity;
import fleet.entities.OverviewEntity;
import fleet.entities.PlanEntity;
import fleet.entities.RevisionEntity;
import fleet.entities.StateEntity;
import fleet.entities.StatePageEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnitPageEntity;
import fleet.entities.UnitPutResultEntity;
import fleet.entities.UnitPutResultsEntity;
import fleet.entities.UnreportedEntity;
import fleet.entities.WhyEntity;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpClient;
import fleet.fleetctl.http.HttpRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * API v1 of one fleetd: units and their states, and clients for the rest of it. Safe for use by
 * many threads; every call throws {@link FleetException} if fleetd cannot be reached or refuses.
 *
 * <p>Calls that fleet 1.0 did not have return an empty or false answer if the daemon does not know
 * them, or say that it has to be upgraded.
 */
public final class FleetClient {

  private static final String UNITS = ApiCalls.PREFIX + "/units";
  private static final int FEW = 200;

  private final ApiCalls calls;

  /**
   * @param debug takes a line for each request
   * @param notices takes a line when fleetd broke off an answer and is asked again
   */
  public FleetClient(HttpClient http, Consumer<String> debug, Consumer<String> notices) {
    this(new ApiCalls(http, debug, notices));
  }

  private FleetClient(ApiCalls calls) {
    this.calls = calls;
  }

  /**
   * Allows stale reads while fleetd does not reach its store; the first one gives a notice. For
   * commands that only display; never for decisions.
   */
  public FleetClient evenIfStale() {
    return new FleetClient(calls.evenIfStale());
  }

  /** The address of fleetd, for messages. */
  public String endpoint() {
    return calls.endpoint();
  }

  /**
   * In words that this fleetd lacks something, and the remedy.
   *
   * @param lacking "is too old to freeze units"
   */
  public String outdated(String lacking) {
    return calls.outdated(lacking);
  }

  public MachinesClient machines() {
    return new MachinesClient(calls);
  }

  public OperationsClient operations() {
    return new OperationsClient(calls);
  }

  public AccessClient access() {
    return new AccessClient(calls);
  }

  public StreamsClient streams() {
    return new StreamsClient(calls);
  }

  public ExecClient exec() {
    return new ExecClient(calls);
  }

  // ---- units

  static String unitPath(String name) {
    return UNITS + "/" + HttpRequest.escape(name);
  }

  public Optional<UnitEntity> unit(String name) throws FleetException {
    return calls.find(UnitEntity.class, calls.call(HttpRequest.get(unitPath(name))));
  }

  /** A unit with its text; refused to callers who may not read the text. */
  public Optional<UnitEntity> unitWithText(String name) throws FleetException {
    HttpRequest request = HttpRequest.get(unitPath(name) + "?text=1");
    return calls.find(UnitEntity.class, calls.call(request));
  }

  /**
   * Units of a list with their texts as they were typed, which lists do not have. Those that are
   * gone since, or whose text the caller may not read, stay as they are.
   */
  public List<UnitEntity> withTexts(List<UnitEntity> units) throws FleetException {
    return Parallel.map(
        units, unit -> unit.options().isEmpty() ? unit : unitWithText(unit.name()).orElse(unit));
  }

  public List<UnitEntity> units() throws FleetException {
    return units("");
  }

  /** Some units by name, in few requests, without those that do not exist. */
  public Map<String, UnitEntity> units(Collection<String> names) throws FleetException {
    Map<String, UnitEntity> found = new HashMap<>();
    for (NameQuery filter : NameQuery.of(names)) {
      for (UnitEntity unit : units(filter.query())) {
        found.put(unit.name(), unit);
      }
      if (!filter.wasHeeded(found.keySet())) {
        break;
      }
    }
    found.keySet().retainAll(Set.copyOf(names));
    return found;
  }

  /** Units by names and patterns, or all; an older fleetd answers with all. */
  public List<UnitEntity> unitsLike(Collection<String> patterns) throws FleetException {
    return units(NameQuery.matching(patterns));
  }

  /** Some units whose names begin so, in one small request: for people who wait for a key. */
  public List<UnitEntity> unitsBeginning(String text) throws FleetException {
    String query = "match=" + HttpRequest.escape(Glob.quoted(text) + "*") + "&limit=" + FEW;
    HttpAnswer answer = calls.call(HttpRequest.get(UNITS + "?" + query));
    return calls.read(UnitPageEntity.class, answer).units();
  }

  private List<UnitEntity> units(String filter) throws FleetException {
    List<UnitEntity> all = new ArrayList<>();
    calls.pages(
        UnitPageEntity.class,
        UNITS,
        filter,
        UnitPageEntity::nextPageToken,
        page -> all.addAll(page.units()));
    return all;
  }

  /** The contents that a unit has had, newest first; none if there is no such unit. */
  public List<RevisionEntity> history(String unit) throws FleetException {
    return history(unit, "").map(HistoryEntity::revisions).orElse(List.of());
  }

  /** A content that a unit has or had, with its text; empty if there is none any more. */
  public Optional<RevisionEntity> revision(String unit, long number) throws FleetException {
    return history(unit, "?revision=" + number).map(found -> found.revisions().getFirst());
  }

  private Optional<HistoryEntity> history(String unit, String query) throws FleetException {
    HttpRequest request = HttpRequest.get(unitPath(unit) + "/history" + query);
    return calls.find(
        HistoryEntity.class, calls.call(request, "is too old to keep the contents of units"));
  }

  /** Creates, replaces or changes a unit. */
  public void put(UnitEntity unit) throws FleetException {
    String path = unitPath(unit.name());
    calls.expectSuccess(calls.call(calls.json("PUT", path, unit)));
  }

  /**
   * Creates, replaces or changes several units in one request.
   *
   * @return the result of each, in their order; empty if the daemon is of fleet 1.0
   */
  public Optional<List<UnitPutResultEntity>> put(List<UnitEntity> units) throws FleetException {
    HttpAnswer answer = calls.call(calls.json("PUT", UNITS, new UnitPageEntity("", units)));
    if (calls.isUnknownResource(answer)) {
      return Optional.empty();
    }
    return Optional.of(calls.read(UnitPutResultsEntity.class, answer).results());
  }

  /** Removes a unit; false if there is none. */
  public boolean destroy(String unit) throws FleetException {
    return calls.delete(unitPath(unit));
  }

  /**
   * Removes a unit if it is in this set, and has been replaced by nobody; false if there is none.
   *
   * @param listed the unit as it was listed: a fleetd that lists no sets ignores the condition
   */
  public boolean destroyInSet(UnitEntity listed) throws FleetException {
    return calls.delete(
        "%s?set=%s&incarnation=%s"
            .formatted(
                unitPath(listed.name()),
                HttpRequest.escape(listed.set()),
                HttpRequest.escape(listed.incarnation())));
  }

  /** Starts a launched unit again that has ended; false if the daemon is of fleet 1.0. */
  public boolean startAgain(String unit) throws FleetException {
    return order(unit, "start");
  }

  /** Restarts a launched unit; false if the daemon is of fleet 1.0. */
  public boolean restart(String unit) throws FleetException {
    return order(unit, "restart");
  }

  private boolean order(String unit, String order) throws FleetException {
    HttpAnswer answer = calls.call(HttpRequest.of("POST", unitPath(unit) + "/" + order));
    if (calls.isUnknownResource(answer)) {
      return false;
    }
    calls.expectSuccess(answer);
    return true;
  }

  /** Why a unit is where it is, or nowhere; empty if there is none of that name. */
  public Optional<WhyEntity> why(String unit) throws FleetException {
    HttpRequest request = HttpRequest.get(unitPath(unit) + "/why");
    return calls.find(WhyEntity.class, calls.call(request, "is too old to explain placements"));
  }

  /** The cluster at a glance. */
  public OverviewEntity overview() throws FleetException {
    HttpRequest request = HttpRequest.get(ApiCalls.PREFIX + "/overview");
    return calls.read(OverviewEntity.class, calls.call(request, "is too old to show an overview"));
  }

  /** The consequences of an intent; changes nothing. */
  public PlanEntity plan(IntentEntity intent) throws FleetException {
    HttpRequest request = calls.json("POST", ApiCalls.PREFIX + "/plan", intent);
    return calls.read(PlanEntity.class, calls.call(request, "is too old to plan"));
  }

  // ---- the dashboard

  /**
   * Checks that there is a dashboard, and that the caller may see it.
   *
   * @throws ApiException also if the daemon is too old
   */
  public void expectDashboard() throws FleetException {
    calls.order(HttpRequest.get("/"), "has no dashboard");
  }

  /** Passes on a browser's request; {@link #giveBack} ends the answer, which may be a refusal. */
  public HttpAnswer relay(HttpRequest request) throws IOException {
    return calls.relay(request);
  }

  /** Ends an answer; its connection is kept if it was read whole. */
  public void giveBack(HttpAnswer answer) throws IOException {
    calls.giveBack(answer);
  }

  // ---- states

  /** The states of units by names and patterns, or of all; an older fleetd answers with all. */
  public AllStates states(List<String> patterns) throws FleetException {
    return states(NameQuery.matching(patterns));
  }

  /** The states of one unit, one for each machine that has it. */
  public List<StateEntity> statesOf(String unit) throws FleetException {
    return reportsOf(unit).states();
  }

  /** The states of one unit, and whether one is missing. */
  public AllStates reportsOf(String unit) throws FleetException {
    return states("unitName=" + HttpRequest.escape(unit));
  }

  /** The states of the units of one machine. */
  public List<StateEntity> statesOn(String machine) throws FleetException {
    return states("machineID=" + HttpRequest.escape(machine)).states();
  }

  /** The states of some units, and which are missing, in few requests. */
  public AllStates reportsOf(Collection<String> units) throws FleetException {
    var all = new AllStates(new ArrayList<>(), new ArrayList<>());
    Set<String> answered = new HashSet<>();
    for (NameQuery filter : NameQuery.of(units)) {
      AllStates some = states(filter.query());
      all.states().addAll(some.states());
      all.unreported().addAll(some.unreported());
      some.states().forEach(state -> answered.add(state.name()));
      if (!filter.wasHeeded(answered)) {
        break;
      }
    }
    return all;
  }

  private AllStates states(String filter) throws FleetException {
    List<StateEntity> all = new ArrayList<>();
    Map<String, UnreportedEntity> unreported = new TreeMap<>();
    calls.pages(
        StatePageEntity.class,
        ApiCalls.PREFIX + "/state",
        filter,
        StatePageEntity::nextPageToken,
        page -> {
          all.addAll(page.states());
          // A later page may be stale as well, and repeat the notice.
          page.unreported().forEach(it -> unreported.put(it.machineID(), it));
        });
    return new AllStates(all, List.copyOf(unreported.values()));
  }
}
