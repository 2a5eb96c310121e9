package fleet.coordination.rpc;

import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.core.machine.HostPort;
import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.rpc.RpcSecurity;
import fleet.rpc.RpcServer;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A fleetd with an engine, as far as machines see it: greets those that come, on a real port. */
final class PlayedLeader implements AutoCloseable {

  final AtomicBoolean certain = new AtomicBoolean(true);
  final AtomicReference<String> elsewhere = new AtomicReference<>("");
  final RpcEngineCoordination coordination;
  final AtomicInteger visits = new AtomicInteger();

  /** Runs when the leader is looked for. */
  volatile Runnable onLook = () -> {};

  private final RpcServer server;
  private final Map<String, Map<UnitName, ScheduleEntry>> schedules = new ConcurrentHashMap<>();

  /** The units whose entries it cannot read, for all machines. */
  private volatile Set<UnitName> leftAlone = Set.of();

  PlayedLeader(String store) throws IOException {
    this(store, EventThread::new);
  }

  PlayedLeader(String store, EventLoop.Factory loops) throws IOException {
    coordination = new RpcEngineCoordination(() -> store, certain::get, this::look, loops);
    server =
        RpcServer.open(
            "127.0.0.1",
            0,
            new RpcSecurity.PlainText(false),
            List.of(ServerInterceptors.intercept(coordination.service(), new Counting())));
  }

  private String look() {
    onLook.run();
    return Objects.requireNonNull(elsewhere.get());
  }

  HostPort address() {
    return server.address();
  }

  void lead(long token, EngineCoordination.Listener listener) {
    coordination.lead(new Term(token, true), new Greeting(listener));
  }

  Map<UnitName, ScheduleEntry> scheduleOf(String machine) {
    return schedules.computeIfAbsent(
        machine, _ -> java.util.Collections.synchronizedMap(new TreeMap<>()));
  }

  void schedule(String machine, ScheduleEntry entry) {
    scheduleOf(machine).put(entry.unit(), entry);
    coordination.delta(machine, List.of(entry), Set.of(), leftAlone);
  }

  void unschedule(String machine, UnitName unit) {
    scheduleOf(machine).remove(unit);
    coordination.delta(machine, List.of(), Set.of(unit), leftAlone);
  }

  /** With the next that it tells. */
  void leaveAlone(UnitName... units) {
    leftAlone = Set.of(units);
  }

  private final class Counting implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      visits.incrementAndGet();
      return next.startCall(call, headers);
    }
  }

  @Override
  public void close() {
    coordination.close();
    server.close();
  }

  /** As an engine does, greets each machine that comes. */
  private final class Greeting implements EngineCoordination.Listener {
    private final EngineCoordination.Listener listener;

    Greeting(EngineCoordination.Listener listener) {
      this.listener = listener;
    }

    @Override
    public void present(Machine machine) {
      listener.present(machine);
      Map<UnitName, ScheduleEntry> schedule = scheduleOf(machine.id());
      synchronized (schedule) {
        coordination.snapshot(machine, schedule.values(), leftAlone);
      }
    }

    @Override
    public void reported(String machine, List<AgentReport> reports) {
      listener.reported(machine, reports);
    }

    @Override
    public void bid(String machine, Bid bid) {
      listener.bid(machine, bid);
    }

    @Override
    public void doubtful(Set<String> machines, Duration within) {
      listener.doubtful(machines, within);
    }

    @Override
    public void absent(String machine, String why) {
      listener.absent(machine, why);
    }

    @Override
    public void left(String machine, boolean emptied, String why) {
      listener.left(machine, emptied, why);
    }

    @Override
    public void takenIn(Runnable then) {
      listener.takenIn(then);
    }
  }
}
