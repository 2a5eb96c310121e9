package fleet.daemon;

import fleet.agent.Agent;
import fleet.agent.AgentSettings;
import fleet.agent.ReleaseProgress;
import fleet.agent.answer.ProcessAnswerer;
import fleet.api.ApiServer;
import fleet.api.ApiSettings;
import fleet.api.listen.Listen;
import fleet.api.listen.ListenException;
import fleet.api.listen.PassedSockets;
import fleet.api.listen.TlsFiles;
import fleet.cluster.ClusterUnavailableException;
import fleet.coordination.AgentCoordination;
import fleet.coordination.EventThread;
import fleet.core.machine.Machine;
import fleet.daemon.config.Configuration;
import fleet.daemon.machine.MachineIdentity;
import fleet.daemon.machine.UnidentifiedMachineException;
import fleet.engine.CurrentCluster;
import fleet.engine.EngineSettings;
import fleet.systemd.dbus.DBusSystemd;
import fleet.systemd.dbus.ManagerAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * fleetd, wired: what it stands on, the agent of this machine, the engine where it leads, and the
 * API above. Started in this order, and stopped in the reverse one.
 */
public final class Daemon implements Service {

  private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);
  private static final Duration SAFETY_PASS = Duration.ofMinutes(5);
  private static final Duration HAND_OVER = Duration.ofSeconds(3);
  private static final Duration HEALTHY = Duration.ofSeconds(10);

  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final Startup startup;
  private final Foundation foundation;
  private final CurrentCluster cluster;
  private final Agent agent;

  /**
   * Wires the parts and starts them.
   *
   * @throws FatalException or another exception whose message is fit for the operator
   */
  static Service start(Startup startup) throws Exception {
    return new Daemon(startup);
  }

  private Daemon(Startup startup) throws Exception {
    this.startup = startup;
    Configuration configuration = startup.configuration();
    try {
      foundation = Foundation.of(configuration, startup.machine(), Daemon::giveUp);
      running.push(foundation.registry());
      running.push(foundation.engines());
      agent = started(agent(startup, foundation.agents()));
      cluster = started(cluster(foundation, configuration));
      // The agent first: its machine is there by the time an engine counts who is missing.
      agent.start();
      // Stopped before the agent, so that no engine here sees its own machine leave.
      running.push(foundation.leadership());
      if (!configuration.disableEngine()) {
        foundation.leadership().campaign(foundation.candidate(cluster));
      }
      var api =
          new ApiServer(
              cluster,
              listens(startup),
              new ApiSettings(Version.current(), configuration.tokenLimit()));
      running.push(api::stop);
      api.start();
      running.push(IdleHeap.watch());
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  private <T extends AutoCloseable> T started(T part) {
    running.push(part);
    return part;
  }

  private static CurrentCluster cluster(Foundation foundation, Configuration configuration) {
    return new CurrentCluster(
        foundation.registry(),
        foundation.engines(),
        EngineSettings.of(configuration.agentTtl()),
        Clock.systemUTC(),
        EventThread::new,
        Daemon::giveUp);
  }

  /** A new process begins with a fresh picture; units go on running meanwhile. */
  private static void giveUp(String why) {
    LOG.error("{}; leaving it to systemd to start fleetd anew", why);
    Runtime.getRuntime().halt(1);
  }

  private static Agent agent(Startup startup, AgentCoordination coordination) throws IOException {
    Configuration configuration = startup.configuration();
    boolean user = configuration.systemdUser();
    ManagerAddress systemd =
        user ? ManagerAddress.ofUser(startup.environment()) : ManagerAddress.ofSystem();
    Path runtime = configuration.directories().runtime();
    return new Agent(
        startup.machine(),
        new AgentSettings(
            configuration.directories().units(),
            runtime.resolve("marks"),
            runtime.resolve("isolation"),
            SAFETY_PASS,
            configuration.agentTtl(),
            user),
        coordination,
        new ProcessAnswerer(user),
        listener -> DBusSystemd.connect(systemd, listener),
        EventThread::new);
  }

  /** The sockets that systemd hands over, else fleetd's own; and the TCP addresses configured. */
  private static List<Listen> listens(Startup startup) throws ListenException {
    Configuration.Api api = startup.configuration().api();
    List<Listen> listens =
        new ArrayList<>(
            PassedSockets.of(
                startup.environment(), ProcessHandle.current().pid(), api.insecureTcp()));
    if (listens.isEmpty()) {
      listens.add(new Listen.Unix(api.socket()));
    }
    Optional<TlsFiles> tls =
        api.tls().map(files -> new TlsFiles(files.certfile(), files.keyfile(), files.cafile()));
    api.listen().forEach(address -> listens.add(new Listen.Tcp(address, tls, api.insecureTcp())));
    return listens;
  }

  @Override
  public String status() {
    return "machine " + startup.machine().id() + ", " + foundation.where();
  }

  @Override
  public Optional<String> trouble() throws InterruptedException {
    if (!cluster.answersWithin(HEALTHY)) {
      return Optional.of("the engine does not get round to its work");
    }
    return agent.answersWithin(HEALTHY)
        ? Optional.empty()
        : Optional.of("the agent does not get round to its work");
  }

  @Override
  public void reload(Configuration configuration) {
    try {
      Machine machine =
          new MachineIdentity(Path.of("/"), startup.machine().version()).read(configuration);
      agent.present(machine);
      LOG.info("metadata={}, public_ip={}", machine.metadata(), machine.publicIp());
    } catch (UnidentifiedMachineException e) {
      LOG.error("{}; this machine is presented as before", e.getMessage());
    }
  }

  @Override
  public void dump(PrintStream out) {
    String states =
        agent.performed().entrySet().stream()
            .map(entry -> quoted(entry.getKey().value()) + ":" + quoted(entry.getValue().text()))
            .collect(Collectors.joining(","));
    out.println("{\"Agent\":{\"Cache\":{\"TargetStates\":{" + states + "}}}}");
  }

  /** Names of units hold no quotes, but they may hold backslashes. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\") + '"';
  }

  @Override
  public boolean canRelease() {
    return foundation.shared();
  }

  @Override
  public void release(ReleaseProgress progress) throws InterruptedException {
    agent.release(progress);
    try {
      // Whoever leads next would first wait whether this machine comes back.
      cluster.awaitDeparture(startup.machine().id(), HAND_OVER);
    } catch (ClusterUnavailableException e) {
      LOG.warn("{}; the next leader will see to it", e.getMessage());
    }
  }

  @Override
  public void close() {
    while (!running.isEmpty()) {
      AutoCloseable part = running.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("{} did not stop in order: {}", part, e.toString());
      }
    }
  }
}
