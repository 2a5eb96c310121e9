package fleet.fleetd;

import fleet.api.listen.Listen;
import fleet.api.listen.ListenException;
import fleet.cluster.ClusterUnavailableException;
import fleet.core.machine.HostPort;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.membership.Membership;
import fleet.registry.RegistryException;
import fleet.trust.RegistryLogins;
import fleet.trust.TrustException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port of this server for people, with certificates of the cluster's authority. It is opened
 * with the first invitation, or at once if {@code api_listen} says where. Safe for use by many
 * threads.
 */
final class LoginPort implements RegistryLogins.PortOpener, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LoginPort.class);
  private static final Duration RETRY = Duration.ofSeconds(10);

  private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

  private final Configuration.Api configuration;
  private final HttpApi api;
  private final RpcEndpoint.Identities identities;
  private final Supplier<String> host;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Optional<Membership> identity = Optional.empty();
  private int opened;

  /**
   * @param host where others reach this machine; empty while that is not known
   */
  LoginPort(
      Configuration.Api configuration,
      HttpApi api,
      RpcEndpoint.Identities identities,
      Supplier<String> host) {
    this.configuration = configuration;
    this.api = api;
    this.identities = identities;
    this.host = host;
  }

  /** Opens it when somebody may come; returns at once. */
  void openWhen(NetworkDemand demand) {
    if (!configuration.listenForPeople().isEmpty()) {
      keepTrying(this::open);
    } else if (configuration.port() > 0) {
      keepTrying(() -> demand.whenThere(() -> keepTrying(this::open)));
    }
  }

  private void keepTrying(Runnable attempt) {
    Thread.ofVirtual()
        .name("api-port")
        .start(() -> {
          boolean complained = false;
          while (!isOver(attempt, complained)) {
            complained = true;
          }
        });
  }

  /** Whether there is nothing left to do; waits a while if there is. */
  private boolean isOver(Runnable attempt, boolean complained) {
    try {
      attempt.run();
      return true;
    } catch (ClusterUnavailableException | RegistryException e) {
      if (!complained) {
        LOG.warn("{}; trying on", e.getMessage());
      }
    }
    try {
      return closed.await(RETRY.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private List<InetSocketAddress> addresses() {
    return configuration.listenForPeople().isEmpty()
        ? List.of(new InetSocketAddress(configuration.port()))
        : configuration.listenForPeople();
  }

  @Override
  public synchronized List<String> open() {
    if (configuration.listenForPeople().isEmpty() && configuration.port() == 0) {
      throw new IllegalArgumentException(
          "people cannot log in at this server: its configuration has api_port=0");
    }
    List<InetSocketAddress> all = addresses();
    try {
      Membership own = identities.begin();
      identity = Optional.of(own);
      while (opened < all.size()) {
        api.open(new Listen.Cluster(all.get(opened), own.forPeople()));
        opened++;
      }
    } catch (ListenException e) {
      throw new ClusterUnavailableException(
          "people cannot log in: " + e.getMessage() + " (see api_port)", e);
    } catch (TrustException | IOException | RegistryException e) {
      throw new ClusterUnavailableException("people cannot log in: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterUnavailableException("fleetd ends", e);
    }
    return all.stream().map(this::reached).distinct().toList();
  }

  /** A wildcard address cannot be given to others. */
  private String reached(InetSocketAddress address) {
    String named =
        EVERY_ADDRESS.contains(address.getHostString()) ? host.get() : address.getHostString();
    return new HostPort(named.isEmpty() ? "SERVER" : named, address.getPort()).toString();
  }

  @Override
  public List<X509Certificate> authorities() {
    return identity.map(own -> own.identity().trusted()).orElse(List.of());
  }

  /** Ends attempts; the API closes the port. */
  @Override
  public void close() {
    closed.countDown();
  }
}
