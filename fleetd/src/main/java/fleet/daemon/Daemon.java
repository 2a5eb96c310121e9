package fleet.daemon;

import fleet.agent.Agent;
import fleet.agent.AgentSettings;
import fleet.agent.answer.ProcessAnswerer;
import fleet.api.ApiServer;
import fleet.api.ApiSettings;
import fleet.api.listen.Listen;
import fleet.api.listen.ListenException;
import fleet.api.listen.PassedSockets;
import fleet.api.listen.TlsFiles;
import fleet.coordination.EventThread;
import fleet.coordination.local.LocalCoordination;
import fleet.core.machine.Machine;
import fleet.core.unit.Incarnation;
import fleet.daemon.config.Configuration;
import fleet.daemon.machine.MachineIdentity;
import fleet.daemon.machine.UnidentifiedMachineException;
import fleet.engine.Engine;
import fleet.engine.EngineSettings;
import fleet.engine.LeaderCluster;
import fleet.engine.MachineCommands;
import fleet.engine.UnitCommands;
import fleet.registry.Registry;
import fleet.registry.embedded.EmbeddedRegistry;
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
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * fleetd, wired: the embedded registry, the engine that leads on it, the agent of this machine, and
 * the API above. Started in this order, and stopped in the reverse one.
 */
public final class Daemon implements Service {

  private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);
  private static final Duration SAFETY_PASS = Duration.ofMinutes(5);
  private static final Duration HEALTHY = Duration.ofSeconds(10);

  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final Startup startup;
  private final Engine engine;
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
    if (configuration.disableEngine()) {
      throw new FatalException(
          "disable_engine=true leaves nobody to schedule units: with the embedded registry this"
              + " machine is the whole cluster; remove the option");
    }
    try {
      Registry registry = started(EmbeddedRegistry.open(configuration.directories().data()));
      var coordination = new LocalCoordination();
      agent = started(agent(startup, coordination));
      // Stopped before the agent, so that it never sees its own machine leave.
      engine = started(engine(registry, coordination, configuration));
      // The agent first: its machine is there by the time the engine counts who is missing.
      agent.start();
      engine.start();
      var commands =
          new UnitCommands(
              registry, Clock.systemUTC(), () -> new Incarnation(UUID.randomUUID().toString()));
      var cluster =
          new LeaderCluster(engine, coordination, commands, new MachineCommands(registry));
      var api =
          new ApiServer(
              cluster,
              listens(startup),
              new ApiSettings(Version.current(), configuration.tokenLimit()));
      running.push(api::stop);
      api.start();
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  private <T extends AutoCloseable> T started(T part) {
    running.push(part);
    return part;
  }

  private Engine engine(
      Registry registry, LocalCoordination coordination, Configuration configuration) {
    return new Engine(
        registry,
        coordination,
        EngineSettings.of(configuration.agentTtl()),
        Clock.systemUTC(),
        EventThread::new,
        UUID.randomUUID().toString(),
        Daemon::giveUp);
  }

  /** A new process begins with a fresh picture; units go on running meanwhile. */
  private static void giveUp(String why) {
    LOG.error("{}; leaving it to systemd to start fleetd anew", why);
    Runtime.getRuntime().halt(1);
  }

  private static Agent agent(Startup startup, LocalCoordination coordination) throws IOException {
    Configuration configuration = startup.configuration();
    boolean user = configuration.systemdUser();
    ManagerAddress systemd =
        user ? ManagerAddress.ofUser(startup.environment()) : ManagerAddress.ofSystem();
    Path marks = configuration.directories().runtime().resolve("marks");
    return new Agent(
        startup.machine(),
        new AgentSettings(configuration.directories().units(), marks, SAFETY_PASS),
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
    return "machine "
        + startup.machine().id()
        + ", registry in "
        + startup.configuration().directories().data();
  }

  @Override
  public Optional<String> trouble() throws InterruptedException {
    if (!engine.answersWithin(HEALTHY)) {
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
