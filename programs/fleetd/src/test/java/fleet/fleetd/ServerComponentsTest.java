package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.coordination.AgentCoordination;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership;
import fleet.coordination.Leadership.Term;
import fleet.coordination.RecordingFollower;
import fleet.coordination.rpc.RpcAgentCoordination;
import fleet.coordination.rpc.StreamConnector;
import fleet.core.audit.AuditLog;
import fleet.core.machine.HostPort;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.machine.Role;
import fleet.core.metric.Meter;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.testing.Await;
import fleet.core.testing.ServerPorts;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.config.ConfigurationException;
import fleet.fleetd.config.ConfigurationReader;
import fleet.fleetd.machine.MachineFacts;
import fleet.fleetd.membership.LeaderDirectoryClient;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.etcd.EtcdOptions;
import fleet.registry.etcd.EtcdRegistry;
import fleet.registry.etcd.EtcdServer;
import fleet.registry.records.Keys;
import fleet.relay.RequestService;
import fleet.rpc.MethodAccess;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import fleet.trust.RegistryJoinTokens;
import io.grpc.ServerServiceDefinition;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are wired as they ship: who leads, and what machines hear. */
class ServerComponentsTest {

  private static final String HOST = "127.0.0.1";
  private static final UnitName UNIT = UnitName.of("web.service");
  private static final Machine JOINED = new Machine("m9", "boot-9", "10.0.0.9", Map.of(), "test");

  @TempDir Path directory;
  private final List<AutoCloseable> open = Collections.synchronizedList(new ArrayList<>());
  private final BlockingQueue<String> leaders = new LinkedBlockingQueue<>();
  private final List<MachineFacts> facts = Collections.synchronizedList(new ArrayList<>());
  private volatile String address = HOST;

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable part : open.reversed()) {
      part.close();
    }
  }

  @Test
  void whoHasNoPortLeavesItToOthersToLeadAndStandsByOnceItHasOne() throws Exception {
    EtcdServer etcd = EtcdServer.start(directory.resolve("etcd"));
    open.add(etcd);
    String shared = "etcd_servers=[\"" + etcd.client() + "\"]\n";
    List<Integer> ports = ServerPorts.take(2);

    try (ServerSocket taken = new ServerSocket(ports.getFirst())) {
      campaign("deaf", server("deaf", taken.getLocalPort(), shared));
      ServerComponents other = server("other", ports.getLast(), shared);
      campaign("other", other);
      assertThat(leaders.take()).isEqualTo("other");
      other.leadership().close();
      assertThat(leaders.poll(2, TimeUnit.SECONDS)).isNull();
    }
    assertThat(leaders.take()).isEqualTo("deaf");
  }

  @Test
  void ofEachMethodThatAServerServesItIsDecidedWhoMayCallIt() throws Exception {
    RpcEndpoint port = server("only", ServerPorts.take(1).getFirst(), "").rpc().orElseThrow();
    Set<String> served = new TreeSet<>(port.methods());
    ServerServiceDefinition requests = new RequestService((_, _) -> {}, _ -> {}).bindService();
    requests.getMethods().forEach(it -> served.add(it.getMethodDescriptor().getFullMethodName()));

    assertThat(served).hasSizeGreaterThanOrEqualTo(5);
    assertThat(served).allSatisfy(method -> assertThat(MethodAccess.least(method)).isPresent());
  }

  /** The attack: what can be read in etcd was enough to sign certificates. */
  @Test
  void serversOnOneEtcdShareAnAuthorityWhoseKeyNobodyReadsThere() throws Exception {
    EtcdServer etcd = EtcdServer.start(directory.resolve("etcd"));
    open.add(etcd);
    String shared = "etcd_servers=[\"" + etcd.client() + "\"]\n";

    List<Integer> ports = ServerPorts.take(3);
    List<String> names = List.of("one", "two", "three");
    List<ServerComponents> servers = new CopyOnWriteArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < names.size(); i++) {
        String name = names.get(i);
        int port = ports.get(i);
        var _ = threads.submit(() -> servers.add(begun(name, port, shared)));
      }
    }

    assertThat(servers).hasSize(3);
    assertThat(servers)
        .allSatisfy(
            one -> assertThat(one.rpc().orElseThrow().isOpen()).as("it has the key").isTrue());
    assertThat(servers.getFirst().registry().read("").entries().toString())
        .contains("BEGIN CERTIFICATE")
        .doesNotContain("PRIVATE KEY");
    for (String name : names) {
      assertThat(directory.resolve(name).resolve("data/server.key")).isRegularFile();
    }
  }

  @Test
  void theOnlyServerLeadsAlsoWithoutAPort() throws Exception {
    try (ServerSocket taken = new ServerSocket(ServerPorts.take(1).getFirst())) {
      campaign("only", server("only", taken.getLocalPort(), ""));
      assertThat(leaders.poll()).isEqualTo("only");
    }
  }

  @Test
  void aMachineAloneNeedsItsEngine() {
    assertThatThrownBy(() -> server("alone", 50059, "disable_engine=true\n"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("disable_engine=true leaves nobody to schedule units");
  }

  /** A scan of the network finds nothing of fleetd before. */
  @Test
  void aServerAloneListensOnceThereIsAGoodToken() throws Exception {
    int port = ServerPorts.take(1).getFirst();
    ServerComponents alone = server("alone", port, "rpc_insecure=false\n");
    RpcEndpoint rpc = alone.rpc().orElseThrow();
    BlockingQueue<HostPort> told = new LinkedBlockingQueue<>();
    rpc.onOpen(told::add);
    assertThat(rpc.isNeeded()).isFalse();
    try (ServerSocket free = new ServerSocket(port)) {
      assertThat(free.isBound()).isTrue();
    }

    tokens(alone, Clock.systemUTC())
        .create(Role.AGENT, Duration.ofHours(1), new Caller("user root"));
    assertThat(told.take()).isEqualTo(new HostPort(HOST, port));
  }

  private static RegistryJoinTokens tokens(ServerComponents server, Clock clock) {
    return new RegistryJoinTokens(server.registry(), server.admission().authority(), clock);
  }

  @Test
  void serversKnowOfMachinesThatHaveJoinedAndWhoLeadsWithoutRpcAllTheSameSaysSo() throws Exception {
    EtcdServer etcd = EtcdServer.start(directory.resolve("etcd"));
    open.add(etcd);
    String shared = "etcd_servers=[\"" + etcd.client() + "\"]\n";
    int port = ServerPorts.take(1).getFirst();
    ServerComponents silent =
        server("silent", ServerPorts.take(1).getFirst(), shared + "enable_grpc=false\n");
    BlockingQueue<String> problems = new LinkedBlockingQueue<>();
    UnreachableLeaderWarning.CutOff cutOff = silent.cutOff();
    cutOff.onChange(() -> problems.add(cutOff.problem().orElse("")));
    campaign("silent", silent);
    assertThat(leaders.take()).isEqualTo("silent");

    ServerComponents spokenTo = server("spoken-to", port, shared);
    campaign("spoken-to", spokenTo);
    assertThat(leaders.poll(3, TimeUnit.SECONDS)).isNull();
    assertThat(problems).isEmpty();

    // A machine that has joined asks who leads, and again if the server is busy.
    List<HostPort> servers = List.of(new HostPort(HOST, port));
    var client =
        new LeaderDirectoryClient(
            new RpcChannels(new RpcSecurity.PlainText(true)), servers, _ -> {});
    Await.until(() -> {
      client.candidates();
      return !leaders.isEmpty();
    });
    assertThat(leaders.take()).isEqualTo("spoken-to");

    close(spokenTo);
    assertThat(leaders.take()).isEqualTo("silent");
    assertThat(problems.take())
        .startsWith("machines that have joined cannot speak to this server")
        .contains("remove enable_grpc=false");
  }

  @Test
  void aServerThatGetsItsAddressLateLeadsWithoutUntilThenAndIsSpokenToAfterwards()
      throws Exception {
    EtcdServer etcd = EtcdServer.start(directory.resolve("etcd"));
    open.add(etcd);
    int port = ServerPorts.take(1).getFirst();
    address = "";
    ServerComponents late =
        server("late", port, "etcd_servers=[\"" + etcd.client() + "\"]\nagent_ttl=5s\n");
    List<Term> terms = new CopyOnWriteArrayList<>();
    late.leadership()
        .campaign(
            late.candidate(
                candidate(term -> {
                  terms.add(term);
                  leaders.add("late");
                }),
                Set::of,
                Duration.ZERO));
    assertThat(leaders.take()).isEqualTo("late");
    Await.until(() -> !late.leader().orElseThrow().isSpokenTo(true));
    assertThat(late.reach().opening()).as("nobody has joined").isPresent();

    move(HOST);
    assertThat(leaders.take()).isEqualTo("late");
    Await.until(() -> late.leader().orElseThrow().isSpokenTo(true));
    Await.until(() -> isAt(late, HOST, port));

    move("127.0.0.2");
    Await.until(() -> isAt(late, "127.0.0.2", port));
    assertThat(terms).as("goes on leading").hasSize(2);
    assertThat(late.reach().opening().orElseThrow().moved())
        .as("machines that have no store must notice")
        .isTrue();
    new Socket(InetAddress.ofLiteral("127.0.0.2"), port).close();
  }

  @Test
  void etcdIsNamedWhereItIsAwayAndNeverTheOwnAddress() throws Exception {
    EtcdServer etcd = EtcdServer.start(directory.resolve("etcd"));
    open.add(etcd);
    int port = ServerPorts.take(1).getFirst();
    ServerComponents server = server("one", port, "etcd_servers=[\"" + etcd.client() + "\"]\n");
    campaign("one", server);
    assertThat(leaders.take()).isEqualTo("one");
    Await.until(() -> isAt(server, HOST, port));
    server.fallback().taken(true);
    assertThat(server.problems()).as("the leader is this machine").isEmpty();

    etcd.kill();
    Await.until(() -> !server.problems().isEmpty());
    assertThat(server.problems().getFirst())
        .startsWith("no answer from etcd since 2")
        .contains("etcd at " + etcd.client())
        .doesNotContain(":" + port);
    etcd.restart();
    Await.until(() -> server.problems().isEmpty());
  }

  private static boolean isAt(ServerComponents server, String host, int port) {
    return server
        .leader()
        .orElseThrow()
        .knownRpcAddress()
        .equals(Optional.of(new HostPort(host, port).toString()));
  }

  private void move(String to) {
    address = to;
    facts.forEach(MachineFacts::lookAgain);
  }

  @Test
  void aServerWithoutAnAddressIsOutOfReachUntilItsPortIsOpen() throws Exception {
    int port = ServerPorts.take(1).getFirst();
    address = "";
    ServerComponents alone = server("alone", port, "");
    campaign("alone", alone);
    assertThat(leaders.poll()).as("its own units are to run").isEqualTo("alone");
    assertThat(alone.reach().opening()).isEmpty();

    move(HOST);
    Await.until(() -> alone.reach().opening().isPresent());
    List<HostPort> servers = List.of(new HostPort(HOST, port));
    assertThat(
            new LeaderDirectoryClient(
                    new RpcChannels(new RpcSecurity.PlainText(true)), servers, _ -> {})
                .candidates())
        .containsExactly(new HostPort(HOST, port));

    move("");
    Await.until(() -> alone.reach().opening().isEmpty());
  }

  /** A backup that is restored gives out revisions again, with other content. */
  @Test
  void aMachineThatWasCutOffWhileItsServerWasRestoredHearsItsWholeSchedule() throws Exception {
    int port = ServerPorts.take(1).getFirst();
    RecordingFollower follower = new RecordingFollower();
    ScheduleEntry before = entry("/bin/before", 7);
    ScheduleEntry after = entry("/bin/after", 7);
    try (AgentCoordination.Session _ = join(port, follower)) {
      ServerComponents first = server("server", port, "");
      lead(first, before);
      follower.await(() -> follower.entry(UNIT).equals(Optional.of(before)));
      close(first);

      lead(server("server", port, ""), after);
      follower.await(() -> follower.entry(UNIT).equals(Optional.of(after)));
      assertThat(follower.heard()).containsOnly("snapshot");
    }
  }

  @Test
  void aRegistryThatMayNotMoveLeavesNoTraceInEtcd() throws Exception {
    EtcdServer etcd = EtcdServer.start(directory.resolve("etcd"));
    open.add(etcd);
    try (EtcdRegistry others = EtcdRegistry.open(options(etcd, "/others/"))) {
      Outcome _ = others.commit(Transaction.when().put("fleet/junk", "theirs").build());
    }
    Path data = Files.createDirectories(directory.resolve("server").resolve("data"));
    try (EmbeddedRegistry embedded = EmbeddedRegistry.open(data)) {
      Outcome _ = embedded.commit(Transaction.when().put(Keys.UNITS + UNIT, "{}").build());
    }
    String shared =
        "etcd_servers=[\"%s\"]%netcd_key_prefix=/others/fleet/%n".formatted(etcd.client());

    assertThatThrownBy(() -> server("server", ServerPorts.take(1).getFirst(), shared))
        .isInstanceOf(FatalException.class)
        .hasMessageContaining("which is not empty: 1 key is in it (junk); give it");

    assertThat(EtcdRegistry.strangers(options(etcd, "/others/fleet/")))
        .extracting(Entry::key)
        .containsExactly("junk");
    assertThat(EtcdRegistry.strangers(options(etcd, "/others/"))).isEmpty();
  }

  private static EtcdOptions options(EtcdServer etcd, String prefix) {
    return new EtcdOptions(
        List.of(etcd.client()),
        prefix,
        "test",
        Duration.ofSeconds(5),
        Duration.ofSeconds(20),
        Optional.empty(),
        Optional.empty(),
        EtcdOptions.DEFAULT_QUOTA,
        Optional.empty());
  }

  // ---- servers

  private ServerComponents server(String name, int port, String more) throws Exception {
    return begun(name, port, more.contains("rpc_insecure") ? more : "rpc_insecure=true\n" + more);
  }

  private ServerComponents begun(String name, int port, String more) throws Exception {
    Path home = Files.createDirectories(directory.resolve(name));
    Path file = home.resolve("fleet.conf");
    Files.writeString(
        file,
        """
        data_directory=%s
        rpc_port=%d
        %s\
        """
            .formatted(Files.createDirectories(home.resolve("data")), port, more));
    Configuration configuration =
        new ConfigurationReader(Map.of("HOME", "" + home), Map.of(), file)
            .read(Optional.of(file))
            .configuration();
    var own = new MachineFacts((_, _) -> machine(name), configuration, machine(name));
    facts.add(own);
    ServerComponents server =
        ServerComponents.of(
            configuration, own, AuditLog.NONE, Meter.NONE, why -> leaders.add("fatal: " + why));
    open.add(() -> close(server));
    if (server.rpc().isPresent()) {
      server.openPort(configuration.rpcInsecure());
      server.rpc().get().awaitTried(Duration.ofHours(1));
    }
    return server;
  }

  private Machine machine(String name) {
    return new Machine(name, "boot-" + name, address, Map.of(), "test");
  }

  private static void close(ServerComponents server) throws Exception {
    server.leadership().close();
    server.rpc().ifPresent(RpcEndpoint::close);
    if (server.leader().isPresent()) {
      server.leader().get().close();
    }
    server.engines().close();
    server.registry().close();
  }

  private void campaign(String name, ServerComponents server) {
    server
        .leadership()
        .campaign(server.candidate(candidate(_ -> leaders.add(name)), Set::of, Duration.ZERO));
  }

  /** Tells each machine that comes what to run. */
  private static void lead(ServerComponents server, ScheduleEntry entry) {
    EngineCoordination machines = server.engines();
    EngineCoordination.Listener schedules =
        new EngineCoordination.Listener() {
          @Override
          public void present(Machine machine) {
            machines.snapshot(machine, List.of(entry), Set.of());
          }

          @Override
          public void reported(String machine, List<AgentReport> reports) {}

          @Override
          public void absent(String machine, String why) {}
        };
    server.leadership().campaign(candidate(term -> machines.lead(term, schedules)));
  }

  private interface Beginning {
    void lead(Term term);
  }

  private static Leadership.Candidate candidate(Beginning beginning) {
    return new Leadership.Candidate() {
      @Override
      public void lead(Term term) {
        beginning.lead(term);
      }

      @Override
      public void retire(String why) {}

      @Override
      public void keepReady(boolean ready) {}
    };
  }

  // ---- a machine that has joined

  private AgentCoordination.Session join(int port, RecordingFollower follower) {
    RpcChannels channels = new RpcChannels(new RpcSecurity.PlainText(true));
    var coordination =
        new RpcAgentCoordination(
            () -> List.of(new HostPort(HOST, port)),
            StreamConnector.over(channels),
            EventThread::new,
            Duration.ofSeconds(3),
            why -> leaders.add("fatal: " + why));
    return coordination.join(
        JOINED,
        follower,
        _ -> {
          throw new IllegalStateException("nobody asked");
        });
  }

  private static ScheduleEntry entry(String command, long revision) {
    return new ScheduleEntry(
        UNIT,
        new Incarnation("i-" + command),
        new UnitFile(List.of(new UnitOption("Service", "ExecStart", command))),
        TargetState.LAUNCHED,
        1,
        false,
        revision,
        Overcommit.NONE,
        List.of());
  }
}
