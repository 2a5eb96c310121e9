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
import fleet.fleetd.config.Configuration;
import fleet.systemd.dbus.DBusSystemd;
import fleet.systemd.dbus.ManagerAddress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
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
  private final Agent agent;

  /** Nothing happens before {@link #start}. */
  MachineAgent(StartupInputs startup, AgentCoordination coordination) throws IOException {
    this.startup = startup;
    this.introduced = startup.machine();
    this.bidder = bidder(startup);
    Configuration configuration = startup.configuration();
    this.commands = new ExecSessions(configuration.enableExec(), configuration.systemdUser());
    this.agent = agent(startup, introduced, coordination, bidder, commands);
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

  private static Agent agent(
      StartupInputs startup,
      Machine machine,
      AgentCoordination coordination,
      Bidder bidder,
      ExecSessions commands)
      throws IOException {
    Configuration configuration = startup.configuration();
    boolean user = configuration.systemdUser();
    ManagerAddress systemd = startup.manager();
    Path runtime = configuration.directories().runtime();
    return new Agent(
        machine,
        new AgentSettings(
            configuration.directories().units(),
            runtime.resolve("marks"),
            runtime.resolve("isolation"),
            SAFETY_PASS,
            configuration.agentTtl(),
            user),
        coordination,
        new MachineAnswerer(user, place(startup), bidder, commands),
        listener -> DBusSystemd.connect(systemd, listener),
        EventThread::new);
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
