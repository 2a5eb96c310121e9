package fleet.fleetctl.fake;

import fleet.core.testing.Await;
import fleet.core.unit.SetName;
import fleet.core.unit.UnitFile;
import fleet.entities.Entity;
import fleet.entities.EntityJson;
import fleet.entities.EventEntity;
import fleet.entities.InvalidJsonException;
import fleet.entities.MachineEntity;
import fleet.entities.MachinePageEntity;
import fleet.entities.OperationEntity;
import fleet.entities.ReschedulingEntity;
import fleet.entities.ResourcesEntity;
import fleet.entities.RolloutRequestEntity;
import fleet.entities.StateEntity;
import fleet.entities.StatePageEntity;
import fleet.entities.TokenEntity;
import fleet.entities.TokenPageEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnitOptionEntity;
import fleet.entities.UnitPageEntity;
import fleet.entities.UnitPutResultEntity;
import fleet.entities.UnitPutResultsEntity;
import fleet.entities.UnreportedEntity;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A daemon with one machine, whose systemd does what the test says: {@link Machine}. It can play
 * fleet 1.0, which has no events, no restart and none of the newer fields.
 */
public final class FakeDaemon implements Closeable {

  public static final String MACHINE = "113f16a7b2c34d5e8f90a1b2c3d4e5f6";

  /** The machine's reaction to a unit that is told to be in another state, or to start again. */
  public interface Machine {
    void told(FakeDaemon daemon, String unit, String desired);
  }

  /** Answers some requests in the daemon's place. */
  public interface Script {
    /** Returns whether it has answered. */
    boolean answers(Request request, OutputStream out) throws IOException;
  }

  private volatile Script script = (_, _) -> false;
  private volatile String address = "10.0.0.3";
  private volatile List<UnreportedEntity> unreported = List.of();
  private volatile List<MachineEntity> others = List.of();
  private volatile ReschedulingEntity rescheduling = new ReschedulingEntity(List.of(), null);
  private final Map<String, UnitEntity> units = new TreeMap<>();
  private final Set<String> damaged = new HashSet<>();
  private final Map<String, StateEntity> states = new TreeMap<>();
  private final List<BlockingQueue<String>> followers = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final EntityJson json = new EntityJson();
  private final FakeRollouts rollouts = new FakeRollouts(this);
  private final boolean modern;
  private final Machine machine;
  private final Path socket;
  private FakeHttpServer server;
  private int incarnations;
  private int eventId;
  private int pageSize = 100;
  private String journal = "";
  private boolean unavailable;
  private volatile String staleSince = "";
  private volatile boolean keepsSets = true;
  private volatile List<String> runsOn = List.of(MACHINE);

  public FakeDaemon(Path socket, boolean modern, Machine machine) throws IOException {
    this.socket = socket;
    this.modern = modern;
    this.machine = machine;
    this.server = FakeHttpServer.onSocket(socket, this::handle);
  }

  /** Does at once what it is told, and all goes well. */
  public static void obedient(FakeDaemon daemon, String unit, String desired) {
    switch (desired) {
      case "launched" -> daemon.state(unit, "active", "running", "success");
      case "loaded" -> daemon.state(unit, "inactive", "dead", "success");
      default -> daemon.gone(unit);
    }
  }

  /** All requests so far, such as {@code PUT /fleet/v1/units/a.service}. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Waits until a part of the API was asked for so many times. */
  public void awaitRequests(String part, int count) {
    synchronized (requests) {
      try {
        Await.notified(
            requests,
            () -> requests.stream().filter(request -> request.contains(part)).count() >= count,
            () -> "asked for " + requests);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  public synchronized void journal(String text) {
    journal = text;
  }

  /** Answers may be stale since then, and requests that do not accept that are refused. */
  public void staleSince(String time) {
    staleSince = time;
  }

  public synchronized void unavailable(boolean is) {
    unavailable = is;
  }

  /** The value of a unit in the registry is garbage now: it is not listed, and can be deleted. */
  public synchronized void damage(String name) {
    damaged.add(name);
  }

  private synchronized boolean isDamaged(String name) {
    return damaged.contains(name);
  }

  public synchronized void pageSize(int size) {
    pageSize = size;
  }

  /** Goes away and comes back, as a daemon that is restarted. */
  public void restart() throws IOException {
    server.close();
    synchronized (this) {
      followers.clear();
    }
    server = FakeHttpServer.onSocket(socket, this::handle);
  }

  /** Has some requests answered otherwise. */
  public void scripted(Script first) {
    script = first;
  }

  /** Has these units and states, as they are. */
  public synchronized void seed(List<UnitEntity> allUnits, List<StateEntity> allStates) {
    allUnits.forEach(unit -> units.put(unit.name(), unit));
    for (StateEntity state : allStates) {
      String name = state.name();
      states.put(states.containsKey(name) ? name + " on " + state.machineID() : name, state);
    }
  }

  public void stop() throws IOException {
    server.close();
  }

  public synchronized Optional<UnitEntity> unit(String name) {
    return Optional.ofNullable(units.get(name));
  }

  /** Has a unit in the cluster, placed unless inactive. */
  public synchronized void add(String name, String text, String desired) throws Exception {
    add(name, UnitFile.parse(text), desired);
  }

  /** The same with its text as it was typed. */
  public synchronized void addTyped(String name, String text, String desired) throws Exception {
    add(name, UnitFile.typed(text), desired);
  }

  private void add(String name, UnitFile file, String desired) throws Exception {
    units.remove(name);
    keep(name, UnitReader.creating(name, file, desired));
    if (!desired.equals("inactive")) {
      obedient(this, name, desired);
    }
  }

  /** Sets the unit's state on its machine, as of its last start. */
  public synchronized void state(String name, String active, String sub, String result) {
    UnitEntity unit = units.get(name);
    if (unit != null) {
      state(name, active, sub, result, unit.restartCounter() == null ? 0 : unit.restartCounter());
    }
  }

  /** Sets the unit's state on its machine, as of the given start. */
  public synchronized void state(
      String name, String active, String sub, String result, long counter) {
    UnitEntity unit = units.get(name);
    if (unit == null) {
      return;
    }
    String desired = unit.desiredState();
    String hash = UnitReader.file(unit).hash();
    StateEntity state =
        modern
            ? new StateEntity(
                hash,
                MACHINE,
                name,
                active,
                "loaded",
                sub,
                unit.incarnation(),
                "i" + counter,
                desired,
                "",
                counter,
                0L,
                result,
                "")
            : new StateEntity(
                hash, MACHINE, name, active, "loaded", sub, "", "", "", "", null, null, "", "");
    states.put(name, state);
    changed(unit, desired, MACHINE, "");
    publish("state", null, state);
  }

  /** Says why the unit has no place. */
  public synchronized void waits(String name, String why, boolean refused) {
    UnitEntity unit = units.get(name);
    if (unit != null) {
      UnitEntity waiting =
          new UnitEntity(
              "inactive",
              unit.desiredState(),
              "",
              name,
              unit.options(),
              unit.by(),
              null,
              unit.incarnation(),
              refused ? true : null,
              unit.restartCounter(),
              why,
              "",
              unit.require(),
              "",
              List.of(),
              "",
              unit.set());
      units.put(name, waiting);
      publish("unit", waiting, null);
    }
  }

  /** The unit is on another machine from now on. */
  public synchronized void moved(String name, String to) {
    changed(unit(name).orElseThrow(), "loaded", to, "");
  }

  /** The unit leaves its machine. */
  public synchronized void gone(String name) {
    StateEntity state = states.remove(name);
    UnitEntity unit = units.get(name);
    if (unit != null) {
      changed(unit, "inactive", "", "");
    }
    if (state != null) {
      publish("state-gone", null, state);
    }
  }

  private void changed(UnitEntity unit, String current, String on, String waiting) {
    UnitEntity changed =
        new UnitEntity(
            UnitReader.isGlobal(unit) ? "" : current,
            unit.desiredState(),
            UnitReader.isGlobal(unit) ? "" : on,
            unit.name(),
            unit.options(),
            unit.by(),
            (modern && UnitReader.isGlobal(unit)) ? true : null,
            unit.incarnation(),
            null,
            unit.restartCounter(),
            waiting,
            "",
            unit.require(),
            "",
            List.of(),
            unit.text(),
            unit.set());
    units.put(unit.name(), changed);
    publish("unit", changed, null);
  }

  private void publish(String name, @Nullable UnitEntity unit, @Nullable StateEntity state) {
    EventEntity event = EventEntity.of(name, 1, "2026-01-01T00:00:00Z").with(unit).with(state);
    tell(name, text(event));
  }

  /** Something happens that a fleetd tells in these words. */
  public synchronized void tell(String name, String data) {
    String text = sse(name, data);
    told.add(text);
    followers.forEach(follower -> follower.add(text));
  }

  private String sse(String name, String data) {
    return "id: e." + ++eventId + "\nevent: " + name + "\ndata: " + data + "\n\n";
  }

  private String text(Entity entity) {
    return new String(json.write(entity), StandardCharsets.UTF_8);
  }

  // ---- requests

  private boolean handle(Request request, OutputStream out) throws IOException {
    synchronized (requests) {
      requests.add(request.method() + " " + request.target());
      requests.notifyAll();
    }
    if (script.answers(request, out)) {
      return true;
    }
    if (isUnavailable()) {
      return error(out, 503, "fleet server unable to communicate with etcd");
    }
    if (!staleSince.isEmpty() && !request.query().contains("stale=1")) {
      return error(out, 503, "the server that leads has not reached etcd since " + staleSince);
    }
    String path = request.path().substring("/fleet/v1/".length());
    String[] parts = path.split("/", -1);
    return switch (parts[0]) {
      case "units" -> parts.length == 1 ? units(request, out) : unit(request, parts, out);
      case "state" -> states(request, out);
      case "machines" -> machines(out);
      case "tokens" -> modern ? tokens(request, parts, out) : error(out, 404, "");
      case "rescheduling" -> modern ? rescheduling(parts, out) : error(out, 404, "");
      case "rollouts" -> modern ? rollOut(request, parts[1], out) : error(out, 404, "");
      case "operations" -> modern ? operation(request, parts, out) : error(out, 404, "");
      case "events" -> modern ? events(request, out) : error(out, 404, "");
      default -> error(out, 404, "");
    };
  }

  private synchronized boolean isUnavailable() {
    return unavailable;
  }

  private static boolean error(OutputStream out, int code, String message) throws IOException {
    return FakeHttpServer.reply(
        out, code, "{\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\"}}");
  }

  private boolean units(Request request, OutputStream out) throws IOException {
    return switch (request.method()) {
      case "GET" -> list(request, out);
      case "PUT" -> modern ? putSeveral(request, out) : error(out, 405, "only GET supported");
      default -> error(out, 405, "only GET supported");
    };
  }

  private boolean putSeveral(Request request, OutputStream out) throws IOException {
    List<UnitPutResultEntity> results = new ArrayList<>();
    try {
      byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
      for (UnitEntity sent :
          Optional.ofNullable(json.read(UnitPageEntity.class, body).units()).orElse(List.of())) {
        results.add(put(sent.name(), sent));
      }
    } catch (InvalidJsonException e) {
      return error(out, 400, "unable to decode body");
    }
    return FakeHttpServer.reply(out, 200, text(new UnitPutResultsEntity(results)));
  }

  private boolean list(Request request, OutputStream out) throws IOException {
    List<UnitEntity> all;
    int size;
    synchronized (this) {
      all = List.copyOf(units.values());
      size = pageSize;
    }
    int from = parameter(request, "nextPageToken").map(Integer::parseInt).orElse(0);
    int to = Math.min(all.size(), from + size);
    String next = to < all.size() ? Integer.toString(to) : "";
    List<UnitEntity> page = all.subList(from, to).stream().map(unit -> unit.withText("")).toList();
    return list(out, new UnitPageEntity(next, page));
  }

  private boolean list(OutputStream out, Entity page) throws IOException {
    return staleSince.isEmpty()
        ? FakeHttpServer.reply(out, 200, text(page))
        : FakeHttpServer.reply(out, 200, text(page), "Fleet-Stale-Since: " + staleSince);
  }

  private boolean states(Request request, OutputStream out) throws IOException {
    Optional<String> only = parameter(request, "unitName");
    Optional<String> machine = parameter(request, "machineID");
    List<StateEntity> found = new ArrayList<>();
    synchronized (this) {
      states.values().stream()
          .filter(state -> only.isEmpty() || only.get().equals(state.name()))
          .filter(state -> machine.isEmpty() || machine.get().equals(state.machineID()))
          .forEach(found::add);
    }
    return list(out, new StatePageEntity("", found, unreported));
  }

  private boolean tokens(Request request, String[] parts, OutputStream out) throws IOException {
    return switch (request.method()) {
      case "POST" -> createToken(request, out);
      case "GET" ->
          FakeHttpServer.reply(
              out,
              200,
              text(
                  new TokenPageEntity(
                      List.of(
                          token("", "0a0b0c0d", "2026-03-02T10:00:00Z"),
                          token("", "5a1f03c2", "2999-03-02T10:00:00Z")))));
      default ->
          parts[1].equals("5a1f03c2")
              ? FakeHttpServer.reply(out, 204, "")
              : error(out, 404, "token does not exist");
    };
  }

  private boolean rescheduling(String[] parts, OutputStream out) throws IOException {
    if (parts.length == 1) {
      return FakeHttpServer.reply(out, 200, text(rescheduling));
    }
    boolean pauses = rescheduling.pause() != null;
    rescheduling = new ReschedulingEntity(rescheduling.absent(), null);
    return pauses
        ? FakeHttpServer.reply(out, 204, "")
        : error(out, 409, "rescheduling is not paused");
  }

  /** Says of machines that they say nothing of their units. */
  public void unreported(List<UnreportedEntity> now) {
    unreported = now;
  }

  /** Says of machines that they are not there. */
  public void absent(ReschedulingEntity now) {
    rescheduling = now;
  }

  private boolean createToken(Request request, OutputStream out) throws IOException {
    return request.body().contains("\"ttlSeconds\":" + TimeUnit.DAYS.toSeconds(367))
        ? error(out, 400, "a token is good for some time, and at most 366 days")
        : FakeHttpServer.reply(
            out, 201, text(token("FLEET-1-5a1f03c2", "5a1f03c2", "2026-03-02T10:00:00Z")));
  }

  private static TokenEntity token(String text, String id, String expires) {
    boolean used = expires.startsWith("2999");
    return new TokenEntity(
        "user root",
        "2026-03-01T10:00:00Z",
        expires,
        id,
        "",
        "agent",
        text.isEmpty() ? "" : "10.0.0.1",
        text,
        null,
        used ? List.of(MACHINE) : List.of(),
        used ? 2L : null);
  }

  /** Has more machines, of which only ids and hostnames are known. */
  public void others(Map<String, String> hostnamesById) {
    others =
        hostnamesById.entrySet().stream()
            .map(other ->
                new MachineEntity(
                    other.getKey(),
                    Map.of(),
                    "",
                    null,
                    null,
                    null,
                    null,
                    null,
                    other.getValue(),
                    "",
                    "",
                    "",
                    null,
                    "",
                    null,
                    "",
                    null))
            .toList();
  }

  /** Has the machine report another address. */
  public void address(String now) {
    address = now;
  }

  private boolean machines(OutputStream out) throws IOException {
    MachineEntity one =
        new MachineEntity(
            MACHINE,
            Map.of("region", "eu", "disk", "ssd"),
            address,
            new ResourcesEntity(3500L, null, 7L << 30, null),
            null,
            null,
            new ResourcesEntity(1500L, null, 1L << 29, null),
            new ResourcesEntity(4000L, 1L << 40, 8L << 30, null),
            "node1.example",
            "x86_64",
            "2.0.0",
            "server",
            true,
            "ready",
            2,
            "",
            null);
    List<MachineEntity> all = new ArrayList<>(List.of(one));
    all.addAll(others);
    return list(out, new MachinePageEntity(all, ""));
  }

  private static Optional<String> parameter(Request request, String name) {
    for (String pair : request.query().split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return Optional.of(
            URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8));
      }
    }
    return Optional.empty();
  }

  // ---- rollouts

  /** The rollouts that are over, such as {@code web@.service}. */
  public List<String> rolledOut() {
    return rollouts.names();
  }

  private boolean rollOut(Request request, String subject, OutputStream out) throws IOException {
    try {
      byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
      RolloutRequestEntity wanted = json.read(RolloutRequestEntity.class, body);
      if (FakeRollouts.describes(wanted, "not in turns")) {
        return FakeHttpServer.reply(
            out,
            409,
            "{\"error\":{\"code\":409,\"message\":\"everywhere\",\"type\":\"not-in-turns\"}}");
      }
      rollouts.begin(decoded(subject), wanted);
      return FakeHttpServer.reply(out, 201, "");
    } catch (InvalidJsonException e) {
      return error(out, 400, "unable to decode body");
    }
  }

  private boolean operation(Request request, String[] parts, OutputStream out) throws IOException {
    if (parts.length == 3 && request.method().equals("POST")) {
      rollouts.revert(decoded(parts[1]));
      return FakeHttpServer.reply(out, 204, "");
    }
    Optional<OperationEntity> found =
        parts.length == 2 ? rollouts.find(decoded(parts[1])) : Optional.empty();
    return found.isPresent()
        ? FakeHttpServer.reply(out, 200, text(found.get()))
        : error(out, 404, "no such operation");
  }

  /** All units that are there. */
  synchronized List<UnitEntity> allUnits() {
    return List.copyOf(units.values());
  }

  /** Gives a unit another content, and has the machine start it if it is launched. */
  void give(UnitEntity unit, List<UnitOptionEntity> options) {
    UnitPutResultEntity _ =
        put(unit.name(), UnitEntity.of(unit.name(), unit.desiredState(), options));
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private boolean unit(Request request, String[] parts, OutputStream out) throws IOException {
    String name = decoded(parts[1]);
    if (parts.length == 3) {
      return modern ? part(name, parts[2], out) : error(out, 404, "");
    }
    return switch (request.method()) {
      case "GET" -> {
        Optional<UnitEntity> unit = isDamaged(name) ? Optional.empty() : unit(name);
        yield unit.isPresent()
            ? FakeHttpServer.reply(out, 200, text(withMachines(unit.get())))
            : error(out, 404, "unit does not exist");
      }
      case "PUT" -> put(name, request, out);
      case "DELETE" -> destroy(name, request, out);
      default -> error(out, 405, "");
    };
  }

  /** A daemon of this version says which machines are to have a global unit. */
  private UnitEntity withMachines(UnitEntity unit) {
    return unit.global() == null || unit.desiredState().equals("inactive")
        ? unit
        : unit.withRunsOn(runsOn);
  }

  /** Says which machines are to have global units; by default its own. */
  public void runsOn(String... machines) {
    runsOn = List.of(machines);
  }

  private boolean put(String name, Request request, OutputStream out) throws IOException {
    UnitPutResultEntity result;
    try {
      result =
          put(name, json.read(UnitEntity.class, request.body().getBytes(StandardCharsets.UTF_8)));
    } catch (InvalidJsonException e) {
      return error(out, 400, "unable to decode body");
    }
    String message = result.message();
    return message.isEmpty()
        ? FakeHttpServer.reply(out, result.status(), "")
        : error(out, result.status(), message);
  }

  private UnitPutResultEntity put(String name, UnitEntity sent) {
    boolean content = !sent.options().isEmpty();
    if (!content && sent.desiredState().isEmpty() && (!keepsSets || sent.set().isEmpty())) {
      return new UnitPutResultEntity(
          name, 409, "must provide DesiredState to update existing unit");
    }
    if (content && UnitReader.file(sent).values("Unit", "Description").contains("refuse me")) {
      return new UnitPutResultEntity(name, 400, "refused as asked");
    }
    keep(name, sent);
    machine.told(this, name, unit(name).orElseThrow().desiredState());
    return new UnitPutResultEntity(name, content ? 201 : 204, "");
  }

  private synchronized void keep(String name, UnitEntity sent) {
    UnitEntity before = units.get(name);
    boolean same =
        before != null && (sent.options().isEmpty() || sent.options().equals(before.options()));
    boolean content = !sent.options().isEmpty() && !same;
    long counter = before == null || before.restartCounter() == null ? 0 : before.restartCounter();
    String desired = desired(before, sent, same);
    boolean start =
        desired.equals("launched")
            && (content || before == null || !before.desiredState().equals(desired));
    UnitEntity unit =
        new UnitEntity(
            before == null ? "inactive" : before.currentState(),
            desired,
            before == null ? "" : before.machineID(),
            name,
            content || before == null ? sent.options() : before.options(),
            modern ? "user root" : "",
            null,
            !modern
                ? ""
                : content || before == null ? "inc" + ++incarnations : before.incarnation(),
            null,
            !modern ? null : counter + (start ? 1 : 0),
            "",
            "",
            required(before, sent, desired),
            "",
            List.of(),
            typed(sent).orElse(before != null && same ? before.text() : ""),
            set(before, sent));
    changed(unit, unit.currentState(), unit.machineID(), "");
  }

  /** Plays a fleetd that keeps no sets. */
  public void withoutSets() {
    keepsSets = false;
  }

  /** Somebody else puts a unit into a set. */
  public synchronized void set(String name, String set) {
    units.put(name, unit(name).orElseThrow().withSet(set));
  }

  private String set(@Nullable UnitEntity before, UnitEntity sent) {
    if (!modern || !keepsSets) {
      return "";
    }
    if (sent.set().equals(SetName.NONE)) {
      return "";
    }
    return sent.set().isEmpty() && before != null ? before.set() : sent.set();
  }

  private static String desired(@Nullable UnitEntity before, UnitEntity sent, boolean same) {
    if (before != null && same && sent.desiredState().isEmpty()) {
      return before.desiredState();
    }
    return sent.desiredState().isEmpty() ? "inactive" : sent.desiredState();
  }

  /**
   * The typed text that a unit is to have, if the request has one; empty if it is the canonical.
   */
  private static Optional<String> typed(UnitEntity sent) {
    return Optional.of(sent.text())
        .filter(text -> !text.isEmpty())
        .map(_ -> UnitReader.text(UnitReader.file(sent)));
  }

  private List<String> required(@Nullable UnitEntity before, UnitEntity sent, String desired) {
    if (!modern || desired.equals("inactive")) {
      return List.of();
    }
    return sent.require().isEmpty() && before != null ? before.require() : sent.require();
  }

  private boolean destroy(String name, Request request, OutputStream out) throws IOException {
    synchronized (this) {
      UnitEntity unit = units.get(name);
      if (unit == null) {
        return error(out, 404, "unit does not exist");
      }
      Optional<String> set = parameter(request, "set").filter(one -> !one.equals(unit.set()));
      if (set.isPresent()) {
        return error(out, 409, name + " is not in the set " + set.get() + " any more");
      }
      units.remove(name);
      publish("unit-destroyed", unit, null);
    }
    machine.told(this, name, "destroyed");
    return FakeHttpServer.reply(out, 204, "");
  }

  private boolean part(String name, String part, OutputStream out) throws IOException {
    return switch (part) {
      case "start", "restart" -> startAgain(name, out);
      case "status" ->
          FakeHttpServer.reply(
              out, 200, "* " + name + "\n", "Fleet-Exit-Status: " + (isActive(name) ? 0 : 3));
      case "journal" -> journal(out);
      default -> error(out, 404, "");
    };
  }

  private boolean startAgain(String name, OutputStream out) throws IOException {
    synchronized (this) {
      UnitEntity unit = units.get(name);
      if (unit == null) {
        return error(out, 404, "unit does not exist");
      }
      long counter = unit.restartCounter() == null ? 0 : unit.restartCounter();
      units.put(
          name,
          new UnitEntity(
              unit.currentState(),
              unit.desiredState(),
              unit.machineID(),
              name,
              unit.options(),
              unit.by(),
              unit.global(),
              unit.incarnation(),
              null,
              counter + 1,
              "",
              "",
              unit.require(),
              "",
              List.of(),
              "",
              unit.set()));
    }
    machine.told(this, name, "launched");
    return FakeHttpServer.reply(out, 202, "");
  }

  private boolean journal(OutputStream out) throws IOException {
    String text;
    synchronized (this) {
      text = journal;
    }
    FakeHttpServer.beginChunks(out, "Trailer: Fleet-Exit-Status");
    for (String line : text.lines().toList()) {
      FakeHttpServer.chunk(out, line + "\n");
    }
    out.write("0\r\nFleet-Exit-Status: 0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    return true;
  }

  private synchronized boolean isActive(String name) {
    StateEntity state = states.get(name);
    return state != null && "active".equals(state.systemdActiveState());
  }

  private synchronized List<String> toldSoFar() {
    return List.copyOf(told);
  }

  private boolean events(Request request, OutputStream out) throws IOException {
    if (request.query().contains("follow=0")) {
      FakeHttpServer.beginChunks(out, "Content-Type: text/event-stream");
      for (String event : toldSoFar()) {
        FakeHttpServer.chunk(out, event);
      }
      out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      return true;
    }
    BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    FakeHttpServer.beginChunks(out, "Content-Type: text/event-stream");
    synchronized (this) {
      followers.add(queue);
      FakeHttpServer.chunk(out, sse("start", "{\"name\":\"start\",\"revision\":0,\"time\":\"t\"}"));
      FakeHttpServer.chunk(out, ":\nid: e." + eventId + "\n\n");
    }
    try {
      while (true) {
        FakeHttpServer.chunk(out, queue.take());
      }
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
