package fleet.fleetctl.fake;

import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.entities.Entity;
import fleet.entities.EntityJson;
import fleet.entities.InvalidJsonException;
import fleet.entities.ReschedulingEntity;
import fleet.entities.StateEntity;
import fleet.entities.StatePageEntity;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A daemon with one machine, whose systemd does what the test says: {@link Machine}. It can play
 * fleet 1.0, which has no events, no restart and none of the newer fields.
 */
public final class FakeDaemon implements Closeable {

  public static final String MACHINE = "113f16a7b2c34d5e8f90a1b2c3d4e5f6";

  /** The machine's reaction to a unit that is told to be in another state, or to start again. */
  public interface Machine {
    void desiredStateChanged(FakeDaemon daemon, String unit, String desired);
  }

  /** Answers some requests in the daemon's place. */
  public interface Script {
    /** Returns whether it has answered. */
    boolean answers(Request request, OutputStream out) throws IOException;
  }

  private volatile Script script = (_, _) -> false;
  private volatile List<UnreportedEntity> unreported = List.of();
  private volatile ReschedulingEntity rescheduling = new ReschedulingEntity(List.of(), null);
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final EntityJson json = new EntityJson();
  private final FakeRollouts rollouts = new FakeRollouts(this);
  private final FakeDaemonEvents events = new FakeDaemonEvents();
  private final FakeDaemonMachines machines = new FakeDaemonMachines();
  private final FakeDaemonTokens tokens = new FakeDaemonTokens();
  private final FakeDaemonUnits units;
  private final boolean modern;
  private final Machine machine;
  private final Path socket;
  private FakeHttpServer server;
  private int pageSize = 100;
  private String journal = "";
  private boolean unavailable;
  private volatile String staleSince = "";
  private volatile List<String> runsOn = List.of(MACHINE);

  public FakeDaemon(Path socket, boolean modern, Machine machine) throws IOException {
    this.socket = socket;
    this.modern = modern;
    this.units = new FakeDaemonUnits(modern, events);
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
  public void damage(String name) {
    units.damage(name);
  }

  public synchronized void pageSize(int size) {
    pageSize = size;
  }

  private synchronized int pageSize() {
    return pageSize;
  }

  /** Goes away and comes back, as a daemon that is restarted. */
  public void restart() throws IOException {
    server.close();
    events.forgetFollowers();
    server = FakeHttpServer.onSocket(socket, this::handle);
  }

  /** Has some requests answered otherwise. */
  public void scripted(Script first) {
    script = first;
  }

  /** Has these units and states, as they are. */
  public void seed(List<UnitEntity> allUnits, List<StateEntity> allStates) {
    units.seed(allUnits, allStates);
  }

  public void stop() throws IOException {
    server.close();
  }

  public Optional<UnitEntity> unit(String name) {
    return units.find(name);
  }

  /** Has a unit in the cluster, placed unless inactive. */
  public void add(String name, String text, String desired) throws Exception {
    add(name, UnitFile.parse(text), desired);
  }

  /** The same with its text as it was typed. */
  public void addTyped(String name, String text, String desired) throws Exception {
    add(name, UnitFile.typed(text), desired);
  }

  private void add(String name, UnitFile file, String desired) throws Exception {
    units.replace(name, UnitReader.creating(name, file, desired));
    if (!desired.equals("inactive")) {
      obedient(this, name, desired);
    }
  }

  /** Sets the unit's state on its machine, as of its last start. */
  public void state(String name, String active, String sub, String result) {
    units.state(name, active, sub, result);
  }

  /** Sets the unit's state on its machine, as of the given start. */
  public void state(String name, String active, String sub, String result, long counter) {
    units.state(name, active, sub, result, counter);
  }

  /** Says why the unit has no place. */
  public void waits(String name, String why, boolean refused) {
    units.waits(name, why, refused);
  }

  /** The unit is on another machine from now on. */
  public void moved(String name, String to) {
    units.moved(name, to);
  }

  /** The unit leaves its machine. */
  public void gone(String name) {
    units.gone(name);
  }

  /** The machine goes away, and nobody knows what becomes of the unit there. */
  public void silent(String name) {
    boolean _ = units.silent(name);
  }

  /** Something happens that a fleetd tells in these words. */
  public void tell(String name, String data) {
    events.tell(name, data);
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
      return FakeHttpServer.refuse(out, 503, "fleet server unable to communicate with etcd");
    }
    if (!staleSince.isEmpty() && !request.query().contains("stale=1")) {
      return FakeHttpServer.refuse(
          out, 503, "the server that leads has not reached etcd since " + staleSince);
    }
    String path = request.path().substring("/fleet/v1/".length());
    String[] parts = path.split("/", -1);
    return switch (parts[0]) {
      case "units" -> parts.length == 1 ? units(request, out) : unit(request, parts, out);
      case "state" -> states(request, out);
      case "machines" -> list(out, machines.page());
      case "tokens" ->
          modern ? tokens.answer(request, parts, out) : FakeHttpServer.refuse(out, 404, "");
      case "rescheduling" ->
          modern ? rescheduling(parts, out) : FakeHttpServer.refuse(out, 404, "");
      case "rollouts" ->
          modern
              ? rollouts.begin(request, decoded(parts[1]), out)
              : FakeHttpServer.refuse(out, 404, "");
      case "operations" ->
          modern
              ? rollouts.answer(request, decoded(parts[1]), parts.length, out)
              : FakeHttpServer.refuse(out, 404, "");
      case "events" -> modern ? events.answer(request, out) : FakeHttpServer.refuse(out, 404, "");
      default -> FakeHttpServer.refuse(out, 404, "");
    };
  }

  private synchronized boolean isUnavailable() {
    return unavailable;
  }

  private boolean units(Request request, OutputStream out) throws IOException {
    return switch (request.method()) {
      case "GET" -> list(request, out);
      case "PUT" ->
          modern ? putSeveral(request, out) : FakeHttpServer.refuse(out, 405, "only GET supported");
      default -> FakeHttpServer.refuse(out, 405, "only GET supported");
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
      return FakeHttpServer.refuse(out, 400, "unable to decode body");
    }
    return FakeHttpServer.reply(out, 200, text(new UnitPutResultsEntity(results)));
  }

  private boolean list(Request request, OutputStream out) throws IOException {
    List<UnitEntity> all = units.all();
    int size = pageSize();
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
    List<StateEntity> found =
        units.states().stream()
            .filter(state -> only.isEmpty() || only.get().equals(state.name()))
            .filter(state -> machine.isEmpty() || machine.get().equals(state.machineID()))
            .toList();
    return list(out, new StatePageEntity("", found, unreported));
  }

  private boolean rescheduling(String[] parts, OutputStream out) throws IOException {
    if (parts.length == 1) {
      return FakeHttpServer.reply(out, 200, text(rescheduling));
    }
    boolean pauses = rescheduling.pause() != null;
    rescheduling = new ReschedulingEntity(rescheduling.absent(), null);
    return pauses
        ? FakeHttpServer.reply(out, 204, "")
        : FakeHttpServer.refuse(out, 409, "rescheduling is not paused");
  }

  /** Says of machines that they say nothing of their units. */
  public void unreported(List<UnreportedEntity> now) {
    unreported = now;
  }

  /** Says of machines that they are not there. */
  public void absent(ReschedulingEntity now) {
    rescheduling = now;
  }

  /** Has more machines, of which only ids and hostnames are known. */
  public void others(Map<String, String> hostnamesById) {
    machines.others(hostnamesById);
  }

  /** Has the machine report another address. */
  public void address(String now) {
    machines.address(now);
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

  /** All units that are there. */
  List<UnitEntity> allUnits() {
    return units.all();
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
      return modern ? part(name, parts[2], out) : FakeHttpServer.refuse(out, 404, "");
    }
    return switch (request.method()) {
      case "GET" -> {
        Optional<UnitEntity> unit = units.isDamaged(name) ? Optional.empty() : unit(name);
        yield unit.isPresent()
            ? FakeHttpServer.reply(out, 200, text(withMachines(unit.get())))
            : FakeHttpServer.refuse(out, 404, "unit does not exist");
      }
      case "PUT" -> put(name, request, out);
      case "DELETE" -> destroy(name, request, out);
      default -> FakeHttpServer.refuse(out, 405, "");
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
      return FakeHttpServer.refuse(out, 400, "unable to decode body");
    }
    String message = result.message();
    return message.isEmpty()
        ? FakeHttpServer.reply(out, result.status(), "")
        : FakeHttpServer.refuse(out, result.status(), message);
  }

  private UnitPutResultEntity put(String name, UnitEntity sent) {
    boolean content = !sent.options().isEmpty();
    if (units.isEmpty(sent)) {
      return new UnitPutResultEntity(
          name, 409, "must provide DesiredState to update existing unit");
    }
    if (content && UnitReader.file(sent).values("Unit", "Description").contains("refuse me")) {
      return new UnitPutResultEntity(name, 400, "refused as asked");
    }
    units.keep(name, sent);
    machine.desiredStateChanged(this, name, unit(name).orElseThrow().desiredState());
    return new UnitPutResultEntity(name, content ? 201 : 204, "");
  }

  /** Plays a fleetd that keeps no sets. */
  public void withoutSets() {
    units.withoutSets();
  }

  /** Somebody else puts a unit into a set. */
  public void set(String name, String set) {
    units.set(name, set);
  }

  private boolean destroy(String name, Request request, OutputStream out) throws IOException {
    synchronized (units) {
      UnitEntity unit = units.find(name).orElse(null);
      if (unit == null) {
        return FakeHttpServer.refuse(out, 404, "unit does not exist");
      }
      Optional<String> set = parameter(request, "set").filter(one -> !one.equals(unit.set()));
      if (set.isPresent()) {
        return FakeHttpServer.refuse(
            out, 409, name + " is not in the set " + set.get() + " any more");
      }
      units.destroy(unit);
    }
    machine.desiredStateChanged(this, name, "destroyed");
    return FakeHttpServer.reply(out, 204, "");
  }

  private boolean part(String name, String part, OutputStream out) throws IOException {
    return switch (part) {
      case "start", "restart" -> startAgain(name, out);
      case "status" ->
          FakeHttpServer.reply(
              out, 200, "* " + name + "\n", "Fleet-Exit-Status: " + (units.isActive(name) ? 0 : 3));
      case "journal" -> journal(out);
      default -> FakeHttpServer.refuse(out, 404, "");
    };
  }

  private boolean startAgain(String name, OutputStream out) throws IOException {
    synchronized (units) {
      Optional<UnitEntity> unit = units.find(name);
      if (unit.isEmpty()) {
        return FakeHttpServer.refuse(out, 404, "unit does not exist");
      }
      units.startAgain(unit.get());
    }
    machine.desiredStateChanged(this, name, "launched");
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

  @Override
  public void close() throws IOException {
    server.close();
  }
}
