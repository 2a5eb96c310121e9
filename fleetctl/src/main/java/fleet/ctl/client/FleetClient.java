package fleet.ctl.client;

import fleet.ctl.http.HttpAnswer;
import fleet.ctl.http.HttpClient;
import fleet.ctl.http.HttpReply;
import fleet.ctl.http.HttpRequest;
import fleet.ctl.http.HttpStream;
import fleet.entities.AccessCheckEntity;
import fleet.entities.AuthoritiesEntity;
import fleet.entities.DrainEntity;
import fleet.entities.Entity;
import fleet.entities.EntityJson;
import fleet.entities.ErrorEntity;
import fleet.entities.EtcdCertificatesEntity;
import fleet.entities.GrantEntity;
import fleet.entities.GrantsEntity;
import fleet.entities.IntentEntity;
import fleet.entities.InvalidJsonException;
import fleet.entities.InvitationEntity;
import fleet.entities.MachineEntity;
import fleet.entities.MachinePageEntity;
import fleet.entities.PlanEntity;
import fleet.entities.ReadmissionEntity;
import fleet.entities.RebalanceEntity;
import fleet.entities.ReschedulingEntity;
import fleet.entities.RolloutEntity;
import fleet.entities.RolloutsEntity;
import fleet.entities.SettingEntity;
import fleet.entities.SettingsEntity;
import fleet.entities.StateEntity;
import fleet.entities.StatePageEntity;
import fleet.entities.TokenEntity;
import fleet.entities.TokenPageEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnitPageEntity;
import fleet.entities.UnitPutResultEntity;
import fleet.entities.UnitPutResultsEntity;
import fleet.entities.UnreportedEntity;
import fleet.entities.WhyEntity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls of API v1. Safe for use by many threads; every call throws {@link FleetException} where
 * fleetd cannot be reached or refuses.
 *
 * <p>Calls that fleet 1.0 did not have return an empty or false answer where the daemon does not
 * know them.
 */
public final class FleetClient {

  private static final String PREFIX = "/fleet/v1";
  private static final String UNITS = PREFIX + "/units";
  private static final String MACHINES = PREFIX + "/machines";
  private static final String ROLLOUTS = PREFIX + "/rollouts";
  private static final String TOKENS = PREFIX + "/tokens";
  private static final String ACCESS = PREFIX + "/access";
  private static final String CA = PREFIX + "/ca";
  private static final String CONFIG = PREFIX + "/config";
  private static final String RESCHEDULING = PREFIX + "/rescheduling";
  private static final String REBALANCE = PREFIX + "/rebalance";
  private static final int CONFLICT = 409;

  /** Entities of a page: each page is a way to the leader and back. An old fleetd gives 100. */
  private static final int PAGE = 1000;

  private static final int FILTER_LIMIT = 4000;

  private final HttpClient http;
  private final Consumer<String> debug;
  private final Consumer<String> notices;
  private final Retries retries;

  /** Whether answers will do that may be old. */
  private final boolean evenIfStale;

  private final AtomicBoolean warned = new AtomicBoolean();
  private final EntityJson json = new EntityJson();

  /**
   * Builds a client; nothing is sent yet.
   *
   * @param debug takes a line for each request
   * @param notices takes a line where fleetd broke off an answer and is asked again
   */
  public FleetClient(HttpClient http, Consumer<String> debug, Consumer<String> notices) {
    this.http = http;
    this.debug = debug;
    this.notices = notices;
    this.retries = new Retries(why -> notices.accept("fleetd at " + endpoint() + ": " + why));
    this.evenIfStale = false;
  }

  private FleetClient(FleetClient other) {
    this.http = other.http;
    this.debug = other.debug;
    this.notices = other.notices;
    this.retries = other.retries;
    this.evenIfStale = true;
  }

  /**
   * The same client, which is also told of units, states and machines what may be old by now, as
   * fleetd does not reach its store. It says so once, as a notice. For people who look; who goes by
   * what it is told takes none of it.
   */
  public FleetClient evenIfStale() {
    return new FleetClient(this);
  }

  /** Where fleetd is, for messages. */
  public String endpoint() {
    return http.endpoint().text();
  }

  public Optional<UnitEntity> unit(String name) throws FleetException {
    HttpAnswer answer = call(HttpRequest.get(unitPath(name)));
    if (answer.status() == 404) {
      return Optional.empty();
    }
    return Optional.of(read(UnitEntity.class, answer));
  }

  /** A unit with its text; refused to those who may see it, but not its text. */
  public Optional<UnitEntity> unitWithText(String name) throws FleetException {
    HttpAnswer answer = call(HttpRequest.get(unitPath(name) + "?text=1"));
    return answer.status() == 404 ? Optional.empty() : Optional.of(read(UnitEntity.class, answer));
  }

  public List<UnitEntity> units() throws FleetException {
    return units("");
  }

  /** Some units by name, in few requests; those that do not exist are not there. */
  public Map<String, UnitEntity> units(Collection<String> names) throws FleetException {
    Map<String, UnitEntity> found = new HashMap<>();
    for (NameFilter filter : NameFilter.of(names)) {
      for (UnitEntity unit : units(filter.query())) {
        found.put(Units.name(unit), unit);
      }
      if (!filter.wasHeeded(found.keySet())) {
        break;
      }
    }
    found.keySet().retainAll(Set.copyOf(names));
    return found;
  }

  private List<UnitEntity> units(String filter) throws FleetException {
    List<UnitEntity> all = new ArrayList<>();
    String token = "";
    do {
      UnitPageEntity page = read(UnitPageEntity.class, page(UNITS, filter, token));
      all.addAll(orEmpty(page.units()));
      token = orEmpty(page.nextPageToken());
    } while (!token.isEmpty());
    return all;
  }

  /** The states of all units. */
  public AllStates states() throws FleetException {
    return states("");
  }

  /** The states of one unit, one for each machine that has it. */
  public List<StateEntity> statesOf(String unit) throws FleetException {
    return states("unitName=" + escape(unit)).states();
  }

  /** The states of the units of one machine. */
  public List<StateEntity> statesOn(String machine) throws FleetException {
    return states("machineID=" + escape(machine)).states();
  }

  /** The states of some units, by the unit's name, in few requests. */
  public Map<String, List<StateEntity>> statesOf(Collection<String> units) throws FleetException {
    Map<String, List<StateEntity>> found = new HashMap<>();
    for (NameFilter filter : NameFilter.of(units)) {
      for (StateEntity state : states(filter.query()).states()) {
        found.computeIfAbsent(orEmpty(state.name()), name -> new ArrayList<>()).add(state);
      }
      if (!filter.wasHeeded(found.keySet())) {
        break;
      }
    }
    return found;
  }

  private AllStates states(String filter) throws FleetException {
    List<StateEntity> all = new ArrayList<>();
    Map<String, UnreportedEntity> unreported = new TreeMap<>();
    String token = "";
    do {
      StatePageEntity page = read(StatePageEntity.class, page(PREFIX + "/state", filter, token));
      all.addAll(orEmpty(page.states()));
      // A further page may be of a later moment, and say it anew.
      orEmpty(page.unreported()).forEach(it -> unreported.put(orEmpty(it.machineID()), it));
      token = orEmpty(page.nextPageToken());
    } while (!token.isEmpty());
    return new AllStates(all, List.copyOf(unreported.values()));
  }

  public List<MachineEntity> machines() throws FleetException {
    List<MachineEntity> all = new ArrayList<>();
    String token = "";
    do {
      MachinePageEntity page = read(MachinePageEntity.class, page(MACHINES, "", token));
      all.addAll(orEmpty(page.machines()));
      token = orEmpty(page.nextPageToken());
    } while (!token.isEmpty());
    return all;
  }

  /** Why a unit is where it is, or nowhere; empty where there is none of that name. */
  public Optional<WhyEntity> why(String unit) throws FleetException {
    HttpAnswer answer = call(HttpRequest.get(unitPath(unit) + "/why"));
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " is too old to say why: upgrade it");
    }
    return answer.status() == 404 ? Optional.empty() : Optional.of(read(WhyEntity.class, answer));
  }

  /** What becomes of the units of machines that are not there; empty where none is missed. */
  public ReschedulingEntity rescheduling() throws FleetException {
    HttpAnswer answer = call(HttpRequest.get(RESCHEDULING));
    return isUnknownResource(answer)
        ? new ReschedulingEntity(List.of(), null)
        : read(ReschedulingEntity.class, answer);
  }

  /** Ends a pause of rescheduling; false where there is none. */
  public boolean resume() throws FleetException {
    HttpAnswer answer = call(HttpRequest.of("POST", RESCHEDULING + "/resume"));
    if (answer.status() == CONFLICT || isUnknownResource(answer)) {
      return false;
    }
    expectSuccess(answer);
    return true;
  }

  /**
   * Has nothing new come to a machine from now on, or lets something come again; false where it was
   * so already.
   */
  public boolean cordon(String machine, boolean cordoned) throws FleetException {
    String path = MACHINES + "/" + escape(machine) + (cordoned ? "/cordon" : "/uncordon");
    HttpAnswer answer = call(HttpRequest.of("POST", path));
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " cannot cordon machines: upgrade it");
    }
    expectSuccess(answer);
    return answer.status() == 204;
  }

  /** How it stands with the authority that vouches for machines. */
  public AuthoritiesEntity authorities() throws FleetException {
    return authorities(call(HttpRequest.get(CA)));
  }

  /**
   * Begins to replace the authority, or goes on with that.
   *
   * @param finish whether machines that are away are not waited for
   */
  public AuthoritiesEntity rotateAuthority(boolean finish) throws FleetException {
    return authorities(call(HttpRequest.of("POST", CA + (finish ? "?finish=1" : ""))));
  }

  /** Makes certificates for a member of etcd that is reached by these names. */
  public EtcdCertificatesEntity certifyEtcd(List<String> names) throws FleetException {
    var asked = new EtcdCertificatesEntity(null, null, null, null, null, null, names);
    HttpAnswer answer =
        call(HttpRequest.json("POST", PREFIX + "/etcd-certificates", json.write(asked)));
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(),
          "fleetd at " + endpoint() + " cannot make certificates for etcd: upgrade it");
    }
    return read(EtcdCertificatesEntity.class, answer);
  }

  private AuthoritiesEntity authorities(HttpAnswer answer) throws FleetException {
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " cannot replace the authority: upgrade it");
    }
    return read(AuthoritiesEntity.class, answer);
  }

  /** Throws a machine out of the cluster; false where it was before. */
  public boolean removeMachine(String machine) throws FleetException {
    return belonging(machine, "remove").status() == 204;
  }

  /**
   * Lets a machine join once more with another key.
   *
   * @return until when
   */
  public String readmitMachine(String machine) throws FleetException {
    String until = read(ReadmissionEntity.class, belonging(machine, "readmit")).until();
    return until == null ? "" : until;
  }

  private HttpAnswer belonging(String machine, String order) throws FleetException {
    String path = MACHINES + "/" + escape(machine) + "/" + order;
    HttpAnswer answer = call(HttpRequest.of("POST", path));
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " cannot remove machines: upgrade it");
    }
    expectSuccess(answer);
    return answer;
  }

  /**
   * Has the units of a machine go elsewhere from now on; false where it was so already.
   *
   * @param maxUnavailable how many instances of a template may be down at a time for that
   */
  public boolean startDrain(String machine, int maxUnavailable) throws FleetException {
    String path = drainPath(machine) + "?maxUnavailable=" + maxUnavailable;
    HttpAnswer answer = call(HttpRequest.of("POST", path));
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " cannot drain machines: upgrade it");
    }
    expectSuccess(answer);
    return answer.status() == 204;
  }

  /** How far a machine is drained; empty where it is not. */
  public Optional<DrainEntity> drain(String machine) throws FleetException {
    HttpAnswer answer = call(HttpRequest.get(drainPath(machine)));
    return answer.status() == 404 ? Optional.empty() : Optional.of(read(DrainEntity.class, answer));
  }

  private static String drainPath(String machine) {
    return MACHINES + "/" + escape(machine) + "/drain";
  }

  /**
   * Begins a rollout.
   *
   * @return false where all units have that content already
   */
  public boolean startRollout(String name, RolloutEntity wanted) throws FleetException {
    HttpAnswer answer = call(HttpRequest.json("PUT", rolloutPath(name), json.write(wanted)));
    refuseWithoutRollouts(answer);
    expectSuccess(answer);
    return answer.status() == 201;
  }

  /** How far a rollout is, be it over or not; empty where there is none. */
  public Optional<RolloutEntity> rollout(String name) throws FleetException {
    HttpAnswer answer = call(HttpRequest.get(rolloutPath(name)));
    refuseWithoutRollouts(answer);
    return answer.status() == 404
        ? Optional.empty()
        : Optional.of(read(RolloutEntity.class, answer));
  }

  /** The rollouts, without their units. */
  public List<RolloutEntity> rollouts() throws FleetException {
    HttpAnswer answer = call(HttpRequest.get(ROLLOUTS));
    refuseWithoutRollouts(answer);
    return orEmpty(read(RolloutsEntity.class, answer).rollouts());
  }

  /**
   * Changes the course of a rollout; false where it is so already.
   *
   * @param change {@code pause}, {@code resume} or {@code back}
   */
  public boolean changeRollout(String name, String change) throws FleetException {
    HttpAnswer answer = call(HttpRequest.of("POST", rolloutPath(name) + "/" + change));
    refuseWithoutRollouts(answer);
    expectSuccess(answer);
    return answer.status() == 204;
  }

  private void refuseWithoutRollouts(HttpAnswer answer) throws FleetException {
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " knows no rollouts: upgrade it");
    }
  }

  private static String rolloutPath(String name) {
    return ROLLOUTS + "/" + escape(name);
  }

  /**
   * Has units move from machines that have many to machines that have few.
   *
   * @param moves how many units may move; empty for as many as it takes
   * @return what has begun; without who asked for it where nothing had to
   */
  public RebalanceEntity startRebalance(int within, OptionalInt moves, int maxUnavailable)
      throws FleetException {
    String query = "?within=" + within + "&maxUnavailable=" + maxUnavailable;
    String budget = moves.isPresent() ? "&moves=" + moves.getAsInt() : "";
    return read(
        RebalanceEntity.class,
        knowingRebalances(call(HttpRequest.of("POST", REBALANCE + query + budget))));
  }

  /** How far the last rebalance is, or how it ended; empty where there was none. */
  public Optional<RebalanceEntity> rebalance() throws FleetException {
    HttpAnswer answer = knowingRebalances(call(HttpRequest.get(REBALANCE)));
    return answer.status() == 404
        ? Optional.empty()
        : Optional.of(read(RebalanceEntity.class, answer));
  }

  /** Has no more units begin to move for a rebalance; false where none goes on. */
  public boolean stopRebalance() throws FleetException {
    Retries.Outcome<HttpAnswer> outcome = attempt(HttpRequest.of("DELETE", REBALANCE));
    HttpAnswer answer = knowingRebalances(outcome.answer());
    if (answer.status() == 404) {
      // Then an attempt before may be what stopped it.
      return outcome.repeated();
    }
    expectSuccess(answer);
    return true;
  }

  private HttpAnswer knowingRebalances(HttpAnswer answer) throws FleetException {
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " cannot rebalance units: upgrade it");
    }
    return answer;
  }

  /** What would follow if something were asked for; changes nothing. */
  public PlanEntity plan(IntentEntity intent) throws FleetException {
    HttpAnswer answer = call(HttpRequest.json("POST", PREFIX + "/plan", json.write(intent)));
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " is too old to plan: upgrade it");
    }
    return read(PlanEntity.class, answer);
  }

  /** Creates, replaces or changes a unit. */
  public void put(UnitEntity unit) throws FleetException {
    String path = unitPath(orEmpty(unit.name()));
    expectSuccess(call(HttpRequest.json("PUT", path, json.write(unit))));
  }

  /**
   * Creates, replaces or changes several units in one request.
   *
   * @return what became of each, in their order; empty where the daemon is of fleet 1.0
   */
  public Optional<List<UnitPutResultEntity>> put(List<UnitEntity> units) throws FleetException {
    byte[] body = json.write(new UnitPageEntity(null, units));
    HttpAnswer answer = call(HttpRequest.json("PUT", UNITS, body));
    if (isUnknownResource(answer)) {
      return Optional.empty();
    }
    return Optional.of(orEmpty(read(UnitPutResultsEntity.class, answer).results()));
  }

  /** Removes a unit; false where there is none. */
  public boolean destroy(String unit) throws FleetException {
    Retries.Outcome<HttpAnswer> outcome = attempt(HttpRequest.of("DELETE", unitPath(unit)));
    HttpAnswer answer = outcome.answer();
    if (answer.status() == 404) {
      // Then an attempt before may be what removed it.
      return outcome.repeated();
    }
    expectSuccess(answer);
    return true;
  }

  /** The settings of the whole cluster. */
  public List<SettingEntity> settings() throws FleetException {
    HttpAnswer answer = knowingSettings(call(HttpRequest.get(CONFIG)));
    return orEmpty(read(SettingsEntity.class, answer).settings());
  }

  /** One setting of the whole cluster. */
  public SettingEntity setting(String name) throws FleetException {
    HttpAnswer answer = knowingSettings(call(HttpRequest.get(CONFIG + "/" + escape(name))));
    return read(SettingEntity.class, answer);
  }

  /** Changes a setting of the whole cluster. */
  public void set(String name, String value) throws FleetException {
    byte[] wanted = json.write(SettingEntity.wanted(value));
    expectSuccess(
        knowingSettings(call(HttpRequest.json("PUT", CONFIG + "/" + escape(name), wanted))));
  }

  private HttpAnswer knowingSettings(HttpAnswer answer) throws FleetException {
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " has no such settings: upgrade it");
    }
    return answer;
  }

  /** Makes a join token out of {@link TokenEntity#wanted}. */
  public TokenEntity createToken(TokenEntity wish) throws FleetException {
    byte[] wanted = json.write(wish);
    return read(TokenEntity.class, known(call(HttpRequest.json("POST", TOKENS, wanted))));
  }

  /** All join tokens, without their secrets. */
  public List<TokenEntity> tokens() throws FleetException {
    return orEmpty(read(TokenPageEntity.class, known(call(HttpRequest.get(TOKENS)))).tokens());
  }

  /** Makes a join token worthless; false where there is none of that id. */
  public boolean revokeToken(String id) throws FleetException {
    HttpAnswer answer = known(call(HttpRequest.of("DELETE", TOKENS + "/" + escape(id))));
    if (answer.status() == 404) {
      return false;
    }
    expectSuccess(answer);
    return true;
  }

  /** All grants. */
  public List<GrantEntity> grants() throws FleetException {
    return orEmpty(read(GrantsEntity.class, knowingGrants(call(HttpRequest.get(ACCESS)))).grants());
  }

  /** Gives a role, in place of the one that the subject had. */
  public void grant(String subject, GrantEntity grant) throws FleetException {
    HttpRequest request =
        HttpRequest.json("PUT", ACCESS + "/" + escape(subject), json.write(grant));
    expectSuccess(knowingGrants(call(request)));
  }

  /** Invites a person to log in, out of {@link InvitationEntity#wanted}. */
  public InvitationEntity invite(String person, InvitationEntity wish) throws FleetException {
    HttpRequest request =
        HttpRequest.json("POST", ACCESS + "/" + escape(person) + "/invite", json.write(wish));
    HttpAnswer answer = call(request);
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " lets nobody log in: upgrade it");
    }
    return read(InvitationEntity.class, answer);
  }

  /** Takes a role away; false where the subject has none. */
  public boolean revokeGrant(String subject) throws FleetException {
    HttpAnswer answer =
        knowingGrants(call(HttpRequest.of("DELETE", ACCESS + "/" + escape(subject))));
    if (answer.status() == 404) {
      return false;
    }
    expectSuccess(answer);
    return true;
  }

  /** Whether a subject may do something. */
  public AccessCheckEntity check(AccessCheckEntity question) throws FleetException {
    HttpRequest request = HttpRequest.json("POST", ACCESS + "/check", json.write(question));
    return read(AccessCheckEntity.class, knowingGrants(call(request)));
  }

  private HttpAnswer knowingGrants(HttpAnswer answer) throws FleetException {
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " knows no grants: upgrade it");
    }
    return answer;
  }

  private HttpAnswer known(HttpAnswer answer) throws FleetException {
    if (isUnknownResource(answer)) {
      throw new ApiException(
          answer.status(), "fleetd at " + endpoint() + " knows no join tokens: upgrade it");
    }
    return answer;
  }

  /** Starts a launched unit again that has ended; false where the daemon is of fleet 1.0. */
  public boolean startAgain(String unit) throws FleetException {
    return order(unit, "start");
  }

  /** Restarts a launched unit; false where the daemon is of fleet 1.0. */
  public boolean restart(String unit) throws FleetException {
    return order(unit, "restart");
  }

  private boolean order(String unit, String order) throws FleetException {
    HttpAnswer answer = call(HttpRequest.of("POST", unitPath(unit) + "/" + order));
    if (isUnknownResource(answer)) {
      return false;
    }
    expectSuccess(answer);
    return true;
  }

  /**
   * Follows what becomes of some units, without the options of their files.
   *
   * @param lastId where an earlier stream ended; empty to begin now
   * @return empty where the daemon is of fleet 1.0
   */
  public Optional<HttpStream> events(Collection<String> units, String lastId)
      throws FleetException {
    return events(units, List.of(), lastId);
  }

  /**
   * The same, with other events.
   *
   * @param more their names
   */
  public Optional<HttpStream> events(
      Collection<String> units, Collection<String> more, String lastId) throws FleetException {
    String all =
        PREFIX
            + "/events?event=unit&event=unit-destroyed&event=state&event=state-gone&options=0"
            + more.stream().map(name -> "&event=" + escape(name)).collect(Collectors.joining());
    StringBuilder path = new StringBuilder(all);
    for (String unit : units) {
      path.append("&unit=").append(escape(unit));
    }
    // Servers limit the length of a request; without a filter the reader drops what is not its own.
    String target = path.length() > FILTER_LIMIT ? all : path.toString();
    HttpRequest request = HttpRequest.get(target).with("Accept: text/event-stream");
    return stream(lastId.isEmpty() ? request : request.with("Last-Event-ID: " + lastId));
  }

  /**
   * What happened and happens in the cluster.
   *
   * @param units only theirs; all where there are none
   * @param since from when on, as the API takes it; empty for from now on
   * @param lastId where an earlier stream ended; empty for none
   * @param follow whether to go on with what happens from now on
   * @return empty where the daemon is of fleet 1.0
   */
  public Optional<HttpStream> history(
      Collection<String> units, String since, String lastId, boolean follow) throws FleetException {
    StringBuilder path = new StringBuilder(PREFIX + "/events?follow=").append(follow ? "1" : "0");
    if (!since.isEmpty()) {
      path.append("&since=").append(escape(since));
    }
    for (String unit : units) {
      path.append("&unit=").append(escape(unit));
    }
    HttpRequest request = HttpRequest.get(path.toString()).with("Accept: text/event-stream");
    return stream(lastId.isEmpty() ? request : request.with("Last-Event-ID: " + lastId));
  }

  /**
   * What {@code systemctl status} says of a unit.
   *
   * @param machine empty for the machine that has it
   */
  public Optional<HttpStream> status(String unit, boolean colour, String machine)
      throws FleetException {
    return retriedStream(
        HttpRequest.get(
            unitPath(unit) + "/status?colour=" + (colour ? "1" : "0") + machineQuery(machine)));
  }

  /**
   * The journal of a unit.
   *
   * @param machine empty for the machine that has it
   */
  public Optional<HttpStream> journal(
      String unit, int lines, boolean follow, String output, String machine) throws FleetException {
    return retriedStream(
        HttpRequest.get(
            unitPath(unit)
                + ("/journal?lines=" + lines + "&follow=" + (follow ? "1" : "0"))
                + ("&output=" + escape(output))
                + machineQuery(machine)));
  }

  /**
   * The journals of several units as one, an entry a line.
   *
   * @param form the parameters, escaped
   */
  public Optional<HttpStream> journals(String form) throws FleetException {
    return stream(
        form.length() > FILTER_LIMIT
            ? HttpRequest.form(PREFIX + "/journal", form)
            : HttpRequest.get(PREFIX + "/journal?" + form));
  }

  /**
   * The audit logs of all servers as one, an entry a line.
   *
   * @param form the parameters, escaped
   */
  public Optional<HttpStream> audits(String form) throws FleetException {
    return stream(HttpRequest.get(PREFIX + "/audit?" + form));
  }

  /**
   * What machines use, a measurement a line.
   *
   * @param samples how many of each machine; empty for as long as they are read
   * @param machine the beginning of the ids of the machines that are asked; empty for all
   */
  public Optional<HttpStream> usage(
      boolean units, long intervalMillis, OptionalInt samples, String machine)
      throws FleetException {
    String count = samples.isPresent() ? Integer.toString(samples.getAsInt()) : "endless";
    return stream(
        HttpRequest.get(
            PREFIX
                + ("/usage?interval=" + intervalMillis + "&samples=" + count)
                + (units ? "&units=1" : "")
                + machineQuery(machine)));
  }

  private static String machineQuery(String machine) {
    return machine.isEmpty() ? "" : "&machine=" + escape(machine);
  }

  private Optional<HttpStream> retriedStream(HttpRequest request) throws FleetException {
    return stream(
        request,
        () ->
            retries
                .call(
                    request,
                    () -> http.open(request),
                    new Retries.Reading<>(HttpStream::reply, this::refusal),
                    starting())
                .answer());
  }

  private String refusal(HttpStream refused) throws IOException {
    try (refused) {
      return message(whole(refused));
    }
  }

  private static HttpAnswer whole(HttpStream refused) throws IOException {
    return new HttpAnswer(refused.reply(), refused.body().readNBytes(64 * 1024));
  }

  private Retries.Starting starting() {
    return evenIfStale ? Retries.Starting.BRIEFLY : Retries.Starting.AS_LONG_AS_IT_TAKES;
  }

  /** For those who try again themselves. */
  private Optional<HttpStream> stream(HttpRequest request) throws FleetException {
    return stream(request, () -> http.open(request));
  }

  private Optional<HttpStream> stream(HttpRequest request, Retries.Attempt<HttpStream> opening)
      throws FleetException {
    try {
      HttpStream stream = opening.make();
      note(request, stream.reply());
      if (stream.reply().isSuccess()) {
        return Optional.of(stream);
      }
      try (stream) {
        HttpAnswer answer = whole(stream);
        if (isUnknownResource(answer)) {
          return Optional.empty();
        }
        throw error(answer);
      }
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private HttpAnswer page(String path, String filter, String token) throws FleetException {
    String query =
        Stream.of(filter, "limit=" + PAGE, token.isEmpty() ? "" : "nextPageToken=" + escape(token))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("&"));
    HttpAnswer answer = call(HttpRequest.get(path + "?" + query));
    expectSuccess(answer);
    return answer;
  }

  private HttpAnswer call(HttpRequest request) throws FleetException {
    if (!evenIfStale || !request.method().equals("GET")) {
      return attempt(request).answer();
    }
    String path = request.path();
    HttpAnswer answer =
        attempt(HttpRequest.get(path + (path.contains("?") ? "&" : "?") + "stale=1")).answer();
    answer.reply().header(Staleness.HEADER).ifPresent(this::warn);
    return answer;
  }

  private void warn(String since) {
    if (warned.compareAndSet(false, true)) {
      notices.accept(
          "WARNING: the servers of fleet that can be asked have not reached etcd since "
              + Staleness.inWords(since)
              + ": what follows is what was known then");
    }
  }

  private Retries.Outcome<HttpAnswer> attempt(HttpRequest request) throws FleetException {
    try {
      Retries.Outcome<HttpAnswer> outcome =
          retries.call(
              request,
              () -> http.call(request),
              new Retries.Reading<>(HttpAnswer::reply, this::message),
              starting());
      note(request, outcome.answer().reply());
      return outcome;
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private void note(HttpRequest request, HttpReply reply) {
    String id = reply.header("x-request-id").map(name -> ", request " + name).orElse("");
    debug.accept(request.method() + " " + request.path() + " -> " + reply.status() + id);
  }

  private UnreachableException unreachable(IOException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return new UnreachableException(
        message.contains(endpoint()) ? message : "fleetd at " + endpoint() + ": " + message, e);
  }

  private <T extends Entity> T read(Class<T> type, HttpAnswer answer) throws FleetException {
    expectSuccess(answer);
    try {
      return json.read(type, answer.body());
    } catch (InvalidJsonException e) {
      throw new UnreachableException(
          "what answers at " + endpoint() + " is not fleetd: " + e.getMessage(), e);
    }
  }

  private void expectSuccess(HttpAnswer answer) throws ApiException {
    if (!answer.reply().isSuccess()) {
      throw error(answer);
    }
  }

  private ApiException error(HttpAnswer answer) {
    return new ApiException(answer.status(), message(answer));
  }

  private String message(HttpAnswer answer) {
    try {
      return json.read(ErrorEntity.class, answer.body()).error().message();
    } catch (InvalidJsonException | NullPointerException notOurs) {
      return "";
    }
  }

  /** A daemon that knows the resource but not the unit says so in words; fleet 1.0 has none. */
  private boolean isUnknownResource(HttpAnswer answer) {
    return answer.status() == 405 || (answer.status() == 404 && message(answer).isEmpty());
  }

  private static String unitPath(String name) {
    return UNITS + "/" + escape(name);
  }

  /** Escapes what may not stand in a path or query; names need it for their backslashes. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (byte raw : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (raw & 0xff);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (plain || "-_.~@:".indexOf(c) >= 0) {
        escaped.append(c);
      } else {
        escaped.append('%').append("0123456789ABCDEF".charAt(c >> 4));
        escaped.append("0123456789ABCDEF".charAt(c & 15));
      }
    }
    return escaped.toString();
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
