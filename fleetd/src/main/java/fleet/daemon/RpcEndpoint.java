package fleet.daemon;

import fleet.core.machine.HostPort;
import fleet.daemon.membership.Membership;
import fleet.registry.RegistryException;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import fleet.rpc.RpcServer;
import fleet.trust.TrustException;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Where this server and others speak to each other: its RPC port, and the ways to those of others.
 * Both need its identity, for which the registry must answer once: until then it goes on trying,
 * and holds nothing else up. Safe for use by many threads.
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
     * @throws TrustException where the authority in the registry cannot be read
     * @throws IOException where the identity cannot be kept
     * @throws RegistryException where the registry does not answer
     */
    Membership begin() throws TrustException, IOException, InterruptedException;
  }

  private final String host;
  private final int port;
  private final boolean serving;
  private final boolean insecure;
  private final Identities identities;
  private final RpcChannels channels = new RpcChannels(this::security);
  private final List<ServerServiceDefinition> services = new ArrayList<>();
  private final List<Runnable> awaiting = new ArrayList<>();
  private final CountDownLatch tried = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicBoolean started = new AtomicBoolean();
  private final Thread opening = Thread.ofVirtual().name("rpc-port").unstarted(this::open);
  private @Nullable RpcSecurity security;
  private @Nullable Membership membership;
  private @Nullable RpcServer server;

  private RpcEndpoint(
      String host, int port, boolean serving, boolean insecure, Identities identities) {
    this.host = host;
    this.port = port;
    this.serving = serving;
    this.insecure = insecure;
    this.identities = identities;
  }

  /**
   * One that others reach. Nothing is done yet.
   *
   * @param host where others reach this machine; empty where that is not known, and then nobody is
   *     served
   * @param insecure whether plain text was asked for in so many words
   */
  static RpcEndpoint serving(String host, int port, boolean insecure, Identities identities) {
    return new RpcEndpoint(host, port, true, insecure, identities);
  }

  /** One that only reaches others. Nothing is done yet. */
  static RpcEndpoint calling(boolean insecure, Identities identities) {
    return new RpcEndpoint("", 0, false, insecure, identities);
  }

  /** Begins, where it has not begun yet; returns at once. */
  void start() {
    if (started.getAndSet(true)) {
      return;
    }
    if (insecure) {
      LOG.warn("rpc_insecure=true: what machines say to each other can be read and forged");
    }
    if (serving && host.isEmpty()) {
      LOG.warn("this machine has no public_ip, so no other one can reach its RPC port; set it");
    }
    opening.start();
  }

  /** Waits until it is open, or has turned out not to be for now; at most for so long. */
  void awaitTried(Duration atMost) throws InterruptedException {
    if (!tried.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      LOG.debug("{}, which nobody waits for any longer", notYet());
    }
  }

  /** Begins, where it has not begun yet, and waits as {@link #awaitTried} does. */
  void begin(Duration atMost) throws InterruptedException {
    start();
    awaitTried(atMost);
  }

  /** Whether others reach it by now. */
  synchronized boolean isOpen() {
    return server != null;
  }

  /** Has something done when the port is open: at once where it is, else by another thread. */
  void onceOpen(Runnable work) {
    synchronized (this) {
      if (server == null) {
        awaiting.add(work);
        return;
      }
    }
    work.run();
  }

  /** Where others reach it, or will; empty where they cannot. */
  Optional<HostPort> address() {
    return host.isEmpty() ? Optional.empty() : Optional.of(new HostPort(host, port));
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

  /** Serves something from now on, or from when the port is open. */
  synchronized void serve(ServerServiceDefinition service) {
    services.add(service);
    if (server != null) {
      server.add(service);
    }
  }

  // ---- beside

  private void open() {
    try {
      tryOn();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    awaited().forEach(Runnable::run);
  }

  private void tryOn() throws InterruptedException {
    Duration retry = FIRST_RETRY;
    boolean complained = false;
    while (closed.getCount() > 0) {
      try {
        identify();
        listen();
        tried.countDown();
        return;
      } catch (IOException | TrustException | RegistryException e) {
        LOG.atLevel(complained ? Level.DEBUG : Level.WARN)
            .log("{}, trying on: {}", notYet(), e.getMessage());
        complained = true;
        tried.countDown();
      }
      boolean ending = closed.await(retry.toMillis(), TimeUnit.MILLISECONDS);
      LOG.trace("opening the RPC port ends: {}", ending);
      retry = retry.multipliedBy(2);
      retry = retry.compareTo(LAST_RETRY) < 0 ? retry : LAST_RETRY;
    }
  }

  private synchronized List<Runnable> awaited() {
    List<Runnable> due = server == null ? List.of() : List.copyOf(awaiting);
    awaiting.clear();
    return due;
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
    begun.ifPresent(renewing -> membership = renewing);
    if (closed.getCount() == 0) {
      begun.ifPresent(Membership::close);
    }
  }

  private synchronized void listen() throws IOException {
    if (!host.isEmpty() && closed.getCount() > 0) {
      server = RpcServer.open(host, port, security(), services);
      LOG.info("other machines are served on {}", server.address());
    }
  }

  @Override
  public void close() {
    closed.countDown();
    opening.interrupt();
    synchronized (this) {
      if (server != null) {
        server.close();
      }
      if (membership != null) {
        membership.close();
      }
    }
  }
}
