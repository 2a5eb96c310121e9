package fleet.fleetd;

import fleet.core.audit.AuditLog;
import fleet.core.machine.HostPort;
import fleet.core.metric.Meter;
import fleet.engine.RpcReachability;
import fleet.fleetd.membership.Membership;
import fleet.registry.RegistryException;
import fleet.rpc.PeerAdmission;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import fleet.rpc.RpcServer;
import fleet.trust.TrustException;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The RPC endpoint of this server: its own port, and connections to those of others. Both need its
 * identity, for which the registry must answer once: until then it retries, and blocks nothing
 * else. Safe for use by many threads.
 */
final class RpcEndpoint implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RpcEndpoint.class);

  private static final Duration FIRST_RETRY = Duration.ofMillis(500);
  private static final Duration LAST_RETRY = Duration.ofSeconds(10);

  /** Gets the identity of this server. */
  @FunctionalInterface
  interface Identities {
    /**
     * Waits for the registry.
     *
     * @throws TrustException if the authority in the registry cannot be read
     * @throws IOException if the identity cannot be kept
     * @throws RegistryException if the registry does not answer
     */
    Membership begin() throws TrustException, IOException, InterruptedException;
  }

  private final int port;
  private final boolean serving;
  private final boolean insecure;
  private final Identities identities;
  private final PeerAdmission admission;
  private final AuditLog audit;
  private final Meter meter;
  private final RpcChannels channels;
  private final List<ServerServiceDefinition> services = new ArrayList<>();
  private final List<Consumer<HostPort>> told = new CopyOnWriteArrayList<>();
  private final CountDownLatch tried = new CountDownLatch(1);
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean needed = new AtomicBoolean();
  private final Thread opening = Thread.ofVirtual().name("rpc-port").unstarted(this::keepOpen);

  /** Where others reach this machine; empty while that is not known. */
  private String host;

  private boolean closed;
  private @Nullable RpcSecurity security;
  private @Nullable Membership membership;
  private @Nullable RpcServer server;

  /** That of the address before, until the next one. */
  private @Nullable RpcServer former;

  /** Where others reach the server; empty before it is open. */
  private Optional<HostPort> open = Optional.empty();

  /** Since when, in nanoseconds; empty while they cannot. */
  private Optional<Long> openSince = Optional.empty();

  /** Whether others could reach it before that, elsewhere or before a while without an address. */
  private boolean hasMoved;

  private RpcEndpoint(
      String host,
      int port,
      boolean serving,
      boolean insecure,
      Identities identities,
      PeerAdmission admission,
      AuditLog audit,
      Meter meter) {
    this.meter = meter;
    this.channels = new RpcChannels(this::security, meter);
    this.admission = admission;
    this.host = host;
    this.port = port;
    this.serving = serving;
    this.insecure = insecure;
    this.identities = identities;
    this.audit = audit;
  }

  /**
   * One that others reach. Nothing is done yet.
   *
   * @param host where others reach this machine; empty while that is not known, and then nobody is
   *     served
   * @param insecure whether plain text was asked for in so many words
   * @param admission who is served, of those whose certificates are good
   * @param meter counts calls and their bytes
   */
  static RpcEndpoint serving(
      String host,
      int port,
      boolean insecure,
      Identities identities,
      PeerAdmission admission,
      AuditLog audit,
      Meter meter) {
    return new RpcEndpoint(host, port, true, insecure, identities, admission, audit, meter);
  }

  /** One that only reaches others. Nothing is done yet. */
  static RpcEndpoint calling(boolean insecure, Identities identities, Meter meter) {
    return new RpcEndpoint(
        "", 0, false, insecure, identities, PeerAdmission.ALL, AuditLog.NONE, meter);
  }

  /** Begins, if it has not begun yet; returns at once. */
  void start() {
    startWhen(Runnable::run);
  }

  /**
   * Begins once it is needed, if it has not begun yet; returns at once. Nothing listens before.
   *
   * @param need runs what it is given, once or more often, when others may come
   * @throws RegistryException if it cannot be told
   */
  void startWhen(Consumer<Runnable> need) {
    if (!started.getAndSet(true)) {
      need.accept(this::beginNow);
      if (!isNeeded()) {
        tried.countDown();
      }
    }
  }

  /** Whether the port is needed: until then it is right that it is not open. */
  boolean isNeeded() {
    return needed.get();
  }

  private void beginNow() {
    if (needed.getAndSet(true)) {
      return;
    }
    if (insecure) {
      LOG.warn("rpc_insecure=true: what machines say to each other can be read and forged");
    }
    if (serving && address().isEmpty()) {
      LOG.warn(
          "this machine has no address yet, so no other one can reach its RPC port; it opens once"
              + " there is one: if there never is, set public_ip");
    }
    opening.start();
  }

  /**
   * The address of this machine has changed, or is gone if the host is empty. The former address is
   * served until the next move: servers connected to it must not take this process for dead before
   * they know the new one.
   */
  synchronized void move(String to) {
    if (!host.equals(to)) {
      host = to;
      openSince = Optional.empty();
      notifyAll();
    }
  }

  /** Waits until it is open, or an attempt has failed; at most for a given time. */
  void awaitTried(Duration atMost) throws InterruptedException {
    if (!tried.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      LOG.debug("{}, which nobody waits for any longer", notYet());
    }
  }

  /** Begins, if it has not begun yet, and waits as {@link #awaitTried} does. */
  void begin(Duration atMost) throws InterruptedException {
    start();
    awaitTried(atMost);
  }

  /** Whether it is open by now. */
  synchronized boolean isOpen() {
    return server != null;
  }

  /** Why others cannot reach it, for people; empty if they can. */
  synchronized Optional<String> problem() {
    if (!isNeeded()) {
      return Optional.empty();
    }
    if (server == null) {
      return Optional.of(
          "RPC port %d is not open yet%s"
              .formatted(port, host.isEmpty() ? ": this machine has no address" : ""));
    }
    return host.isEmpty() ? Optional.of("this machine has no address") : Optional.empty();
  }

  /** Since when others have been able to reach it where it is now; empty while they cannot. */
  synchronized Optional<RpcReachability.Opening> opening() {
    return openSince.map(
        at -> new RpcReachability.Opening(Duration.ofNanos(System.nanoTime() - at), hasMoved));
  }

  /** Whether others can reach it. */
  synchronized boolean isReached() {
    return openSince.isPresent();
  }

  /**
   * Tells a listener the address of the open port: at once if it is open, and whenever that
   * changes.
   */
  void onOpen(Consumer<HostPort> hearer) {
    Optional<HostPort> now;
    synchronized (this) {
      told.add(hearer);
      now = open;
    }
    now.ifPresent(hearer);
  }

  /** Where others reach it, or will; empty while they cannot. */
  synchronized Optional<HostPort> address() {
    return host.isEmpty() ? Optional.empty() : Optional.of(new HostPort(host, port));
  }

  /** Whether an address is this endpoint's own, now or before its last move. */
  synchronized boolean isHere(HostPort address) {
    return open.filter(address::equals).isPresent()
        || address().filter(address::equals).isPresent()
        || (former != null && former.address().equals(address));
  }

  /** Ways to others. */
  RpcChannels channels() {
    return channels;
  }

  private synchronized RpcSecurity security() throws IOException {
    if (security == null) {
      throw new IOException("this machine has no identity yet: it waits for the registry");
    }
    return security;
  }

  /**
   * Adds a service.
   *
   * @throws IllegalStateException once this has begun: a client that finds the port open and a
   *     service missing takes this fleetd for another version
   */
  synchronized void serve(ServerServiceDefinition service) {
    if (started.get()) {
      throw new IllegalStateException("the port may be open already");
    }
    services.add(service);
  }

  /** The full names of the methods that it serves, or will. */
  synchronized Set<String> methods() {
    return services.stream()
        .flatMap(service -> service.getMethods().stream())
        .map(method -> method.getMethodDescriptor().getFullMethodName())
        .collect(Collectors.toSet());
  }

  // ---- beside

  private void keepOpen() {
    try {
      while (isGoingOn()) {
        openOnce();
        awaitMove();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isGoingOn() {
    return !closed;
  }

  private void openOnce() throws InterruptedException {
    Duration retry = FIRST_RETRY;
    boolean complained = false;
    while (isGoingOn()) {
      try {
        identify();
        Optional<HostPort> at = listen();
        tried.countDown();
        at.ifPresent(address -> told.forEach(hearer -> hearer.accept(address)));
        return;
      } catch (IOException | TrustException | RegistryException e) {
        if (!isGoingOn()) {
          return;
        }
        LOG.atLevel(complained ? Level.DEBUG : Level.WARN)
            .log("{}, trying on: {}", notYet(), e.getMessage());
        complained = true;
        tried.countDown();
      }
      pause(retry);
      retry = retry.multipliedBy(2);
      retry = retry.compareTo(LAST_RETRY) < 0 ? retry : LAST_RETRY;
    }
  }

  /** A move ends it: what failed at one address may work at the next. */
  private synchronized void pause(Duration time) throws InterruptedException {
    String from = host;
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toMillis();
        !closed && host.equals(from) && left > 0;
        left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
      wait(left);
    }
  }

  private synchronized void awaitMove() throws InterruptedException {
    while (!closed && (host.isEmpty() || openSince.isPresent())) {
      wait();
    }
  }

  private String notYet() {
    return serving ? "RPC port " + port + " is not open yet" : "other servers cannot be asked yet";
  }

  private void identify() throws TrustException, IOException, InterruptedException {
    if (isIdentified()) {
      return;
    }
    if (insecure) {
      identified(Optional.empty(), new RpcSecurity.PlainText(true));
    } else {
      Membership begun = identities.begin();
      identified(Optional.of(begun), begun.security());
    }
  }

  /** Whether others can be asked by now. */
  synchronized boolean isIdentified() {
    return security != null;
  }

  private synchronized void identified(Optional<Membership> begun, RpcSecurity with) {
    security = with;
    begun.ifPresent(renewing -> {
      membership = renewing;
      renewing.onDistrust(() -> forEachServer(RpcServer::endDistrusted));
    });
    if (closed) {
      begun.ifPresent(Membership::close);
    }
  }

  /**
   * Serves others at the address as it is now.
   *
   * @return the address, if it is served and was not before
   */
  private synchronized Optional<HostPort> listen() throws IOException {
    if (host.isEmpty() || closed || openSince.isPresent()) {
      return Optional.empty();
    }
    boolean there = server != null && (server.listensEverywhere() || isAt(server, host));
    if (!there) {
      serveHere();
    }
    HostPort at = new HostPort(host, Objects.requireNonNull(server).address().port());
    hasMoved = open.isPresent();
    open = Optional.of(at);
    openSince = Optional.of(System.nanoTime());
    LOG.info("other machines are served on {}", at);
    return open;
  }

  private static boolean isAt(RpcServer server, String host) {
    return server.address().host().equals(host);
  }

  private void serveHere() throws IOException {
    RpcServer before = former;
    if (before != null && isAt(before, host)) {
      former = server;
      server = before;
      return;
    }
    RpcServer next = opened();
    if (former != null) {
      former.close();
    }
    former = server;
    server = next;
  }

  /** An address that is not the machine's own takes the whole port. */
  private RpcServer opened() throws IOException {
    try {
      return RpcServer.open(host, port, security(), services, admission, audit, meter);
    } catch (IOException e) {
      if (server == null) {
        throw e;
      }
      LOG.debug("the RPC port moves at the cost of its connections", e);
      closeServers();
      return RpcServer.open(host, port, security(), services, admission, audit, meter);
    }
  }

  /** Ends all calls of a machine. */
  void cut(String machine, String why) {
    forEachServer(open -> open.cut(machine, why));
  }

  /** Refuses new calls of others; those that have begun go on. */
  void refuseMore() {
    forEachServer(RpcServer::refuseMore);
  }

  private synchronized void forEachServer(Consumer<RpcServer> work) {
    if (server != null) {
      work.accept(server);
    }
    if (former != null) {
      work.accept(former);
    }
  }

  private void closeServers() {
    forEachServer(RpcServer::close);
    server = null;
    former = null;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    opening.interrupt();
    synchronized (this) {
      openSince = Optional.empty();
      closeServers();
      if (membership != null) {
        membership.close();
      }
    }
  }
}
