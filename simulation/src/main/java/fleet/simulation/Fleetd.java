package fleet.simulation;

import fleet.agent.Agent;
import fleet.agent.AgentSettings;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.coordination.EventLoop;
import fleet.coordination.store.LeadershipSettings;
import fleet.coordination.store.StoreAgentCoordination;
import fleet.coordination.store.StoreEngineCoordination;
import fleet.coordination.store.StoreLeadership;
import fleet.core.machine.Machine;
import fleet.engine.CurrentCluster;
import fleet.engine.EngineSettings;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.simulation.run.SimulatedProcess;
import fleet.simulation.systemd.SimulatedSystemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One run of fleetd in a process, wired as {@code fleet.daemon.Daemon} does it on etcd. */
final class Fleetd {

  private static final Duration SAFETY_PASS = Duration.ofMinutes(5);
  private static final int NO_PORT = 0;

  private final SimulatedProcess process;
  private final Machine machine;
  private final AgentSettings directories;
  private final SharedRegistry registry;
  private final SimulatedSystemd systemd;
  private final MachineSettings settings;
  private final Supplier<String> ids;
  private final Consumer<String> onExit;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private Optional<CurrentCluster> cluster = Optional.empty();

  /**
   * @param onExit told when the process ends by itself, with why
   */
  Fleetd(
      SimulatedProcess process,
      Machine machine,
      SimulatedMachine.Directories directories,
      SharedRegistry registry,
      SimulatedSystemd systemd,
      MachineSettings settings,
      Supplier<String> ids,
      Consumer<String> onExit) {
    this.process = process;
    this.machine = machine;
    this.directories = new AgentSettings(directories.units(), directories.marks(), SAFETY_PASS);
    this.registry = registry;
    this.systemd = systemd;
    this.settings = settings;
    this.ids = ids;
    this.onExit = onExit;
  }

  SimulatedProcess process() {
    return process;
  }

  void start() {
    process.spawn("main", this::main);
  }

  private void main() {
    try {
      wire();
    } catch (RegistryException | SystemdException | IOException e) {
      exit("cannot start: " + e.getMessage());
    }
  }

  private void wire() throws IOException {
    EventLoop.Starter loops = process.loops();
    running.push(registry);
    Agent agent =
        started(
            new Agent(
                machine,
                directories,
                new StoreAgentCoordination(registry, loops, settings.agentTtl(), this::exit),
                question -> {
                  throw new IllegalStateException("nobody asks: " + question);
                },
                listener -> systemd.connect(process, listener),
                loops));
    var questions = started(new StoreEngineCoordination(registry, loops));
    CurrentCluster served =
        started(
            new CurrentCluster(
                registry,
                questions,
                EngineSettings.of(settings.agentTtl()),
                process.simulation().clock(),
                loops,
                this::exit,
                ids));
    agent.start();
    var leadership =
        started(
            new StoreLeadership(
                registry,
                machine,
                new LeadershipSettings(settings.leaderLease(), NO_PORT),
                loops,
                process.simulation().random()));
    leadership.campaign(served);
    cluster = Optional.of(served);
  }

  private <T extends AutoCloseable> T started(T part) {
    running.push(part);
    return part;
  }

  private void exit(String why) {
    if (process.isAlive()) {
      process.kill();
      onExit.accept(why);
    }
  }

  /** Has somebody ask this fleetd for something; nobody waits for the answer. */
  void request(String what, Consumer<Cluster> request) {
    cluster.ifPresent(served ->
        process.spawn(
            "request",
            () -> {
              try {
                request.accept(served);
                process.simulation().happens("%s: %s: done".formatted(process.name(), what));
              } catch (ClusterUnavailableException e) {
                process
                    .simulation()
                    .happens("%s: %s: %s".formatted(process.name(), what, e.getMessage()));
              }
            }));
  }

  /** Ends in order, as for a restart: units go on running. */
  void shutDown() {
    process.spawn(
        "shutdown",
        () -> {
          while (!running.isEmpty()) {
            close(running.pop());
          }
          exit("shut down");
        });
  }

  private void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      process.simulation().remark(process.name() + ": " + part + " did not stop in order: " + e);
    }
  }
}
