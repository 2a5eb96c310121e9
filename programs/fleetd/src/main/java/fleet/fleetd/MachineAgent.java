package fleet.fleetd;

import fleet.agent.Agent;
import fleet.agent.AgentSettings;
import fleet.agent.AgentStates;
import fleet.agent.ReleaseProgress;
import fleet.agent.answer.MachineAnswerer;
import fleet.agent.bid.Bidder;
import fleet.agent.bid.Conditions;
import fleet.agent.bid.LoadMeter;
import fleet.agent.exec.ExecSessions;
import fleet.agent.usage.UsageMeter;
import fleet.coordination.AgentCoordination;
import fleet.coordination.EventThread;
import fleet.core.machine.Machine;
import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import fleet.fleetd.config.Configuration;
import fleet.systemd.MeteredSystemd;
import fleet.systemd.Systemd;
import fleet.systemd.dbus.DBusSystemd;
import fleet.systemd.dbus.ManagerAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent of this machine, wired to its systemd and its files. */
final class MachineAgent implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MachineAgent.class);
  private static final Duration SAFETY_PASS = Duration.ofMinutes(5);
  private static final Duration HEALTHY = Duration.ofSeconds(10);

  private final StartupInputs startup;
  private final Machine introduced;
  private final Bidder bidder;
  private final ExecSessions commands;
  private final AtomicReference<@Nullable MeteredSystemd> systemd = new AtomicReference<>();
  private final Agent agent;

  /** Nothing happens before {@link #start}. */
  MachineAgent(StartupInputs startup, AgentCoordination coordination) throws IOException {
    this.startup = startup;
    this.introduced = startup.machine();
    this.bidder = bidder(startup);
    Configuration configuration = startup.configuration();
    this.commands = new ExecSessions(configuration.enableExec(), configuration.systemdUser());
    this.agent = agent(coordination);
  }

  private static Bidder bidder(StartupInputs startup) {
    Configuration configuration = startup.configuration();
    return new Bidder(
        EventThread::new,
        new LoadMeter(Path.of("/"), configuration.directories().data()),
        new Conditions(configuration.systemdUser()),
        startup.machine().total(),
        startup.machine().kept());
  }

  private Agent agent(AgentCoordination coordination) throws IOException {
    Configuration configuration = startup.configuration();
    boolean user = configuration.systemdUser();
    Path runtime = configuration.directories().runtime();
    return new Agent(
        introduced,
        new AgentSettings(
            configuration.directories().units(),
            runtime.resolve("marks"),
            runtime.resolve("isolation"),
            SAFETY_PASS,
            configuration.agentTtl(),
            user),
        coordination,
        new MachineAnswerer(user, place(startup), bidder, commands),
        this::connect,
        EventThread::new);
  }

  private Systemd connect(Systemd.Listener listener) {
    ManagerAddress address = startup.manager();
    var connected =
        new MeteredSystemd(told -> DBusSystemd.connect(address, told), listener, startup.metrics());
    systemd.set(connected);
    return connected;
  }

  private static UsageMeter.Place place(StartupInputs startup) {
    Configuration.Directories directories = startup.configuration().directories();
    return new UsageMeter.Place(
        Path.of("/"),
        directories.runtime().resolve("marks"),
        directories.units(),
        directories.data(),
        startup.machine().total());
  }

  void start() throws IOException {
    commands.stopLeftovers();
    startup.facts().onChange(this::present);
    agent.start();
    // It does not hear of what changes before it has started.
    if (!startup.machine().equals(introduced)) {
      present(startup.machine());
    }
  }

  private void present(Machine machine) {
    agent.present(machine);
    LOG.info("metadata={}, public_ip={}", machine.metadata(), machine.publicIp());
  }

  Optional<String> trouble() throws InterruptedException {
    return agent.answersWithin(HEALTHY)
        ? Optional.empty()
        : Optional.of("the agent does not get round to its work");
  }

  private boolean isConnected() {
    MeteredSystemd connection = systemd.get();
    return connection != null && connection.isConnected();
  }

  /** Why the agent does not reconcile; empty if it does. */
  Optional<String> unready(Duration time) throws InterruptedException {
    if (!isConnected()) {
      return Optional.of("systemd does not answer the agent");
    }
    if (!agent.answersWithin(time)) {
      return Optional.of("the agent is busy with something else");
    }
    return agent.states().scheduled()
        ? Optional.empty()
        : Optional.of("the agent has no schedule from a leader yet");
  }

  /** Tells of systemd, and of the units here if the agent answers in time. */
  void tell(Meter meter, Duration time) throws InterruptedException {
    meter.flag(Metric.FLEET_SYSTEMD_CONNECTED, isConnected());
    if (agent.answersWithin(time)) {
      agent
          .states()
          .reported()
          .forEach(state -> meter.record(Metric.FLEET_AGENT_UNITS, 1, state.systemd().active()));
    }
  }

  /** How many units are here, and how they are. */
  String status() {
    AgentStates states = agent.states();
    int units = states.performed().size();
    long failed =
        states.reported().stream()
            .filter(state -> state.systemd().active().equals("failed"))
            .count();
    return (units == 1 ? "1 unit here" : units + " units here")
        + (failed == 0 ? "" : ", " + failed + " failed");
  }

  void dump(PrintStream out) {
    out.println(StateDump.line(agent.states()));
  }

  Optional<Instant> maintenance() {
    return agent.maintenance();
  }

  void release(ReleaseProgress progress) throws InterruptedException {
    agent.release(progress);
  }

  @Override
  public void close() {
    commands.close();
    agent.close();
    bidder.close();
  }
}
