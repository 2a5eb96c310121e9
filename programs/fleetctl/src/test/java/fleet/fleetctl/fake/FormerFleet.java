package fleet.fleetctl.fake;

import fleet.entities.Entity;
import fleet.entities.EntityJson;
import fleet.entities.ErrorBodyEntity;
import fleet.entities.ErrorEntity;
import fleet.entities.InvalidJsonException;
import fleet.entities.MachineEntity;
import fleet.entities.MachinePageEntity;
import fleet.entities.StateEntity;
import fleet.entities.StatePageEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnitOptionEntity;
import fleet.entities.UnitPageEntity;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * The API of fleet 1.0, and nothing else: its paths, methods, fields, pages and refusals. Its
 * machines do at once what they are told. Safe for use by many threads.
 */
public final class FormerFleet implements Closeable {

  private static final String PREFIX = "/fleet/v1/";
  private static final String SERVER = "Server: fleetd/v1.0.0";
  private static final String ONLY_GET = "only GET supported against this resource";
  private static final String NO_UNIT = "unit does not exist";

  private final EntityJson json = new EntityJson();
  private final Map<String, UnitEntity> units = new TreeMap<>();
  private final Map<String, StateEntity> states = new TreeMap<>();
  private final Set<String> failing = new HashSet<>();
  private final List<MachineEntity> machines;
  private final int pageSize;
  private final FakeHttpServer server;

  /** Listens on a socket. Of machines, fleet 1.0 knows id, metadata and address. */
  public FormerFleet(Path socket, List<MachineEntity> machines, int pageSize) throws IOException {
    this.machines =
        machines.stream()
            .map(one -> new MachineEntity(one.id(), one.metadata(), one.primaryIP()))
            .toList();
    this.pageSize = pageSize;
    this.server = FakeHttpServer.onSocket(socket, this::handle);
  }

  /** Has these units and states, as far as fleet 1.0 has their fields. */
  public synchronized void seed(List<UnitEntity> allUnits, List<StateEntity> allStates) {
    allUnits.forEach(unit -> keep(unit, unit.options(), unit.desiredState(), unit.machineID()));
    allStates.forEach(state ->
        report(
            Objects.requireNonNull(units.get(state.name())),
            state.machineID(),
            state.systemdActiveState(),
            state.systemdSubState()));
  }

  /** The unit's process fails at each start. */
  public synchronized void fails(String unit) {
    failing.add(unit);
  }

  private synchronized boolean handle(Request request, OutputStream out) throws IOException {
    if (!request.path().startsWith(PREFIX)) {
      return error(out, 404, "");
    }
    String[] parts = request.path().substring(PREFIX.length()).split("/", -1);
    boolean isGet = request.method().equals("GET");
    return switch (parts[0] + "/" + parts.length) {
      case "units/1" ->
          isGet
              ? page(request, out, List.copyOf(units.values()), UnitPageEntity::new)
              : error(out, 405, ONLY_GET);
      case "units/2" -> unit(request, decoded(parts[1]), out);
      case "state/1" ->
          isGet
              ? page(
                  request, out, states(request), (n, all) -> new StatePageEntity(n, all, List.of()))
              : error(out, 405, ONLY_GET);
      case "state/2" -> isGet ? state(decoded(parts[1]), out) : error(out, 405, ONLY_GET);
      case "machines/1" -> machines(request, out);
      default -> error(out, 404, "");
    };
  }

  private boolean unit(Request request, String name, OutputStream out) throws IOException {
    UnitEntity unit = units.get(name);
    return switch (request.method()) {
      case "GET" -> unit == null ? error(out, 404, NO_UNIT) : reply(out, 200, unit);
      case "PUT" -> put(request, name, Optional.ofNullable(unit), out);
      case "DELETE" -> {
        units.remove(name);
        states.keySet().removeIf(key -> key.startsWith(name + " "));
        yield unit == null ? error(out, 404, NO_UNIT) : reply(out, 204);
      }
      default -> error(out, 405, "only GET, PUT and DELETE supported against this resource");
    };
  }

  private boolean put(Request request, String name, Optional<UnitEntity> before, OutputStream out)
      throws IOException {
    if (!"application/json".equals(request.headers().get("content-type"))) {
      return error(out, 415, "only acceptable Content-Type is application/json");
    }
    UnitEntity sent;
    try {
      sent = json.read(UnitEntity.class, request.body().getBytes(StandardCharsets.UTF_8));
    } catch (InvalidJsonException e) {
      return error(out, 400, "unable to decode body: " + e.getMessage());
    }
    boolean isContent =
        !sent.options().isEmpty()
            && before.filter(unit -> unit.options().equals(sent.options())).isEmpty();
    if (isContent) {
      String desired = sent.desiredState().isEmpty() ? "inactive" : sent.desiredState();
      obey(sent, name, sent.options(), desired);
      return reply(out, 201);
    }
    if (before.isEmpty()) {
      return error(out, 409, "unit does not exist and options field empty");
    }
    if (sent.desiredState().isEmpty()) {
      return error(out, 409, "must provide DesiredState to update existing unit");
    }
    if (name.contains("@.") && !sent.desiredState().equals("inactive")) {
      return error(out, 400, "cannot activate template \"" + name + "\"");
    }
    obey(before.get(), name, before.get().options(), sent.desiredState());
    return reply(out, 204);
  }

  private void obey(UnitEntity unit, String name, List<UnitOptionEntity> options, String desired) {
    UnitEntity named = UnitEntity.of(name, desired, options);
    states.keySet().removeIf(key -> key.startsWith(name + " "));
    String machine = unit.machineID().isEmpty() ? machines.getFirst().id() : unit.machineID();
    keep(named, options, desired, desired.equals("inactive") ? "" : machine);
    if (!desired.equals("inactive")) {
      boolean starts = desired.equals("launched");
      boolean fails = starts && failing.contains(name);
      on(named, machine)
          .forEach(where ->
              report(
                  named,
                  where,
                  fails ? "failed" : starts ? "active" : "inactive",
                  fails ? "failed" : starts ? "running" : "dead"));
    }
  }

  private Stream<String> on(UnitEntity unit, String machine) {
    return UnitReader.isGlobal(unit)
        ? machines.stream().map(MachineEntity::id)
        : Stream.of(machine);
  }

  /** A unit has the state that is desired, if it has a machine; a global unit has none. */
  private void keep(
      UnitEntity unit, List<UnitOptionEntity> options, String desired, String machine) {
    boolean isGlobal = UnitReader.isGlobal(unit);
    units.put(
        unit.name(),
        new UnitEntity(
            isGlobal ? "" : machine.isEmpty() ? "inactive" : desired,
            desired,
            isGlobal ? "" : machine,
            unit.name(),
            options,
            "",
            null,
            "",
            null,
            null,
            "",
            "",
            List.of(),
            "",
            List.of(),
            "",
            ""));
  }

  private void report(UnitEntity unit, String machine, String active, String sub) {
    String hash = UnitReader.file(UnitEntity.of("", "", unit.options())).hash();
    states.put(
        unit.name() + " " + machine,
        new StateEntity(
            hash,
            machine,
            unit.name(),
            active,
            "loaded",
            sub,
            "",
            "",
            "",
            "",
            null,
            null,
            "",
            "",
            null,
            null));
  }

  private List<StateEntity> states(Request request) {
    Optional<String> unit = parameter(request, "unitName");
    Optional<String> machine = parameter(request, "machineID");
    return states.values().stream()
        .filter(state -> unit.isEmpty() || unit.get().equals(state.name()))
        .filter(state -> machine.isEmpty() || machine.get().equals(state.machineID()))
        .toList();
  }

  /** For an unknown name the handler of fleet 1.0 crashes, and the connection is cut. */
  private boolean state(String name, OutputStream out) throws IOException {
    Optional<StateEntity> any =
        states.values().stream().filter(state -> state.name().equals(name)).findFirst();
    return any.isPresent() && reply(out, 200, any.get());
  }

  private boolean machines(Request request, OutputStream out) throws IOException {
    return switch (request.method()) {
      case "GET" -> page(request, out, machines, (n, all) -> new MachinePageEntity(all, n));
      case "PATCH" -> reply(out, 204);
      default -> error(out, 405, "only GET and PATCH supported against this resource");
    };
  }

  // ---- pages

  private <T> boolean page(
      Request request, OutputStream out, List<T> all, BiFunction<String, List<T>, Entity> entity)
      throws IOException {
    int page = 1;
    Optional<String> token = parameter(request, "nextPageToken");
    if (token.isPresent()) {
      ByteBuffer read =
          ByteBuffer.wrap(Base64.getUrlDecoder().decode(token.get()))
              .order(ByteOrder.LITTLE_ENDIAN);
      if (read.getShort() != pageSize) {
        return error(out, 400, "token limit must be " + pageSize);
      }
      page = read.getShort();
    }
    List<T> some = all.stream().skip((page - 1L) * pageSize).limit(pageSize).toList();
    return reply(out, 200, entity.apply(some.size() < pageSize ? "" : token(page + 1), some));
  }

  private String token(int page) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putShort((short) pageSize).putShort((short) page);
    return Base64.getUrlEncoder().encodeToString(bytes.array());
  }

  private static Optional<String> parameter(Request request, String name) {
    return Stream.of(request.query().split("&", -1))
        .filter(pair -> pair.startsWith(name + "="))
        .map(pair -> decoded(pair.substring(name.length() + 1)))
        .findFirst();
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  // ---- answers

  private boolean error(OutputStream out, int code, String message) throws IOException {
    return reply(out, code, new ErrorEntity(ErrorBodyEntity.of(code, message)));
  }

  private boolean reply(OutputStream out, int status, Entity body) throws IOException {
    String text = new String(json.write(body), StandardCharsets.UTF_8);
    return FakeHttpServer.reply(out, status, text, SERVER, "Content-Type: application/json");
  }

  private static boolean reply(OutputStream out, int status) throws IOException {
    return status == 204
        ? FakeHttpServer.reply(out, status, "", SERVER)
        : FakeHttpServer.reply(out, status, "", SERVER, "Content-Type: application/json");
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
