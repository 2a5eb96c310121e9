package fleet.fleetd;

import fleet.agent.ReleaseProgress;
import fleet.api.Backend;
import fleet.api.listen.ListenException;
import fleet.coordination.AgentCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.rpc.RpcAgentCoordination;
import fleet.coordination.rpc.StreamConnector;
import fleet.core.machine.HostPort;
import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.membership.JoinedMembership;
import fleet.fleetd.membership.LeaderDirectoryClient;
import fleet.fleetd.membership.Membership;
import fleet.fleetd.memory.IdleHeap;
import fleet.relay.Relay;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import fleet.trust.EnrolmentRefusedException;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * fleetd on a machine that has joined a cluster: an agent, and an API that relays to the leader. It
 * has no registry and no engine.
 */
final class JoinedDaemon implements RunningDaemon {

  private static final Logger LOG = LoggerFactory.getLogger(JoinedDaemon.class);

  /** The longest time until a server has answered or another is asked. */
  private static final Duration TIME_TO_ASK = Duration.ofSeconds(15);

  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final StartupInputs startup;
  private final List<HostPort> servers;
  private final Admission admission;
  private final MachineAgent agent;
  private final ServerContact contact;
  private Optional<Membership> membership = Optional.empty();
  private volatile Optional<MachineAgent> working = Optional.empty();
  private Optional<HttpApi> api = Optional.empty();

  JoinedDaemon(StartupInputs startup, Configuration.Join join) throws Exception {
    this.startup = startup;
    this.servers =
        join.servers().stream()
            .map(server -> new HostPort(server.getHostString(), server.getPort()))
            .toList();
    this.admission = new Admission("it is asking " + named(servers));
    LeftoverRegistry.refuseUnits(startup.configuration().directories().data());
    try {
      RpcChannels channels = new RpcChannels(admission, startup.metrics());
      LeaderDirectoryClient directory =
          new LeaderDirectoryClient(
              channels,
              servers,
              why -> startup.failed().accept(new EnrolmentRefusedException(why)));
      contact = new ServerContact(servers, directory::problem, Clock.systemUTC());
      // Started first, before this machine is admitted: answers say meanwhile what it waits for.
      serve(channels, directory);
      admission.granted(security(join));
      contact.onChange(() -> startup.notifier().status(status()));
      agent = started(new MachineAgent(startup, coordination(channels, directory)));
      agent.start();
      working = Optional.of(agent);
      running.push(IdleHeap.watch());
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  private AgentCoordination coordination(RpcChannels channels, LeaderDirectoryClient directory) {
    var coordination =
        new RpcAgentCoordination(
            directory::candidates,
            StreamConnector.over(channels),
            EventThread::new,
            startup.configuration().agentTtl(),
            Daemon::giveUp);
    coordination.observe(
        new RpcAgentCoordination.Observer() {
          @Override
          public void spoken(Optional<String> problem) {
            contact.spoken(problem);
          }

          @Override
          public void trusts(long authorities, Duration within) {
            membership.ifPresent(own -> own.hear(authorities, within));
          }
        });
    return coordination;
  }

  private <T extends AutoCloseable> T started(T part) {
    running.push(part);
    return part;
  }

  private void serve(RpcChannels channels, LeaderDirectoryClient directory) throws ListenException {
    Relay relay =
        started(new Relay(directory::candidates, channels, () -> 0, Daemon.LEADER_SOUGHT));
    if (startup.configuration().api().refusesCertificates()) {
      LOG.warn(
          "clients with certificates can do nothing here, as a machine that has joined knows no"
              + " grants: have them ask a server, or set api_cafile_role");
    }
    Backend backend = Backend.joined(contact.explaining(admission.before(relay)));
    startup.metrics().ask(this::tell);
    api = Optional.of(new HttpApi(startup, backend, this::unready));
    api.get().start();
  }

  private static String named(List<HostPort> servers) {
    return String.join(", ", servers.stream().map(HostPort::toString).toList());
  }

  private RpcSecurity security(Configuration.Join join) throws Exception {
    Configuration configuration = startup.configuration();
    if (configuration.rpcInsecure()) {
      LOG.warn("rpc_insecure=true: what machines say to each other can be read and forged");
      return new RpcSecurity.PlainText(true);
    }
    startup.notifier().extendTimeout(timeToAskAll().multipliedBy(2));
    Membership begun =
        started(
            new JoinedMembership(
                    servers,
                    join.token(),
                    configuration.directories().data(),
                    startup.machine().id(),
                    Clock.systemUTC(),
                    this::waitsToJoin)
                .begin());
    membership = Optional.of(begun);
    LOG.info("this machine is {} of the cluster of {}", begun.identity().peer(), servers);
    return begun.security();
  }

  private Duration timeToAskAll() {
    return TIME_TO_ASK.multipliedBy(servers.size());
  }

  private void waitsToJoin(String why, Duration retry) {
    admission.waits(why);
    startup.notifier().extendTimeout(timeToAskAll().plus(retry));
    startup.notifier().status("waiting to join: " + why);
  }

  @Override
  public String status() {
    return "machine "
        + startup.machine().id()
        + ", joined "
        + named(servers)
        + "; "
        + agent.status()
        + contact.problem().map(problem -> "; " + problem).orElse("");
  }

  private Optional<String> unready() throws InterruptedException {
    Optional<MachineAgent> begun = working;
    if (begun.isEmpty()) {
      return Optional.of("this machine has not joined yet: " + admission.waitsFor());
    }
    Optional<String> problem = contact.problem();
    return problem.isPresent() ? problem : begun.get().unready(Daemon.TIME_TO_TELL);
  }

  private void tell(Meter meter) throws InterruptedException {
    meter.flag(Metric.FLEET_READY, unready().isEmpty());
    meter.flag(Metric.FLEET_ENGINE_LEADS, false);
    meter.record(Metric.FLEET_ENGINE_LEADER_START_TIME, 0);
    Optional<MachineAgent> begun = working;
    if (begun.isPresent()) {
      begun.get().tell(meter, Daemon.TIME_TO_TELL);
    }
  }

  @Override
  public Optional<String> trouble() throws InterruptedException {
    return agent.trouble();
  }

  @Override
  public void reload(Configuration configuration) {
    startup.facts().reconfigure(configuration);
  }

  @Override
  public void dump(PrintStream out) {
    agent.dump(out);
  }

  @Override
  public boolean canRelease() {
    return true;
  }

  @Override
  public Optional<Instant> maintenance() {
    return agent.maintenance();
  }

  @Override
  public void release(ReleaseProgress progress) throws InterruptedException {
    agent.release(progress);
  }

  @Override
  public void close() {
    // The first, as its answers need all others.
    api.ifPresent(HttpApi::close);
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
