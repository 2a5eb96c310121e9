package fleet.fleetd;

import fleet.api.ApiServer;
import fleet.api.ApiSettings;
import fleet.api.Backend;
import fleet.api.MetricStore;
import fleet.api.MonitoringSources;
import fleet.api.listen.Listen;
import fleet.api.listen.ListenException;
import fleet.api.listen.PassedSockets;
import fleet.cluster.CannotStartException;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotStartedException;
import fleet.cluster.request.ApiHandler;
import fleet.core.audit.AuditLog;
import fleet.fleetd.libc.NativeDescriptor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the clients of a fleetd that cannot start why, for a moment before it ends. systemd listens
 * in its place and starts it for each client: without an answer they would wait for nothing, and
 * come again. A fleetd that makes its socket itself has no clients before it has started.
 *
 * <p>Used by one thread.
 */
final class RefusalServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RefusalServer.class);
  private static final int PAGE = 100;

  /** Copies, since the API closes those that it was given. */
  private final List<Listen> sockets;

  private RefusalServer(List<Listen> sockets) {
    this.sockets = new ArrayList<>(sockets);
  }

  /** To be made before the sockets that systemd handed over are used. */
  static RefusalServer of(Map<String, String> environment) {
    List<Listen> copies = new ArrayList<>();
    try {
      for (Listen listen : PassedSockets.of(environment, ProcessHandle.current().pid(), false)) {
        if (listen instanceof Listen.Passed(int descriptor, boolean insecure)) {
          copies.add(new Listen.Passed(NativeDescriptor.copyOf(descriptor).number(), insecure));
        }
      }
    } catch (IOException | ListenException e) {
      LOG.debug("clients get no reason if fleetd cannot start: {}", e.toString());
    }
    return new RefusalServer(copies);
  }

  /** Somebody has to correct the reason before another start. */
  void refuse(String reason, Duration time) {
    if (!sockets.isEmpty()) {
      answer(
          new CannotStartException(
              "fleetd on this machine cannot start: "
                  + reason
                  + "; correct it, then run: systemctl restart fleet"),
          time);
    }
  }

  /** Another start may succeed. Takes the time also if nobody can ask. */
  void putOff(String reason, Duration time) {
    answer(
        new NotStartedException(
            "fleetd on this machine cannot start: " + reason + "; systemd tries again"),
        time);
  }

  /** Gives the sockets up: while they are open here, clients find somebody who never answers. */
  @Override
  public void close() {
    for (Listen socket : sockets) {
      if (socket instanceof Listen.Passed(int descriptor, boolean _)) {
        new NativeDescriptor(descriptor).close();
      }
    }
    sockets.clear();
  }

  private void answer(ClusterUnavailableException why, Duration time) {
    ApiSettings settings =
        new ApiSettings(FleetdVersion.current(), PAGE, List.of(), Optional.empty());
    var monitoring =
        new MonitoringSources(
            new MetricStore(), () -> Optional.of(String.valueOf(why.getMessage())));
    ApiServer server =
        new ApiServer(new Refusing(why), List.of(), settings, AuditLog.NONE, monitoring);
    try {
      server.start();
      sockets.forEach(socket -> open(server, socket));
      Thread.sleep(time);
    } catch (ListenException e) {
      LOG.debug("clients get no reason", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.stop();
    }
  }

  /** One that is open to the network, where the reason is nobody's business, is left alone. */
  private static void open(ApiServer server, Listen socket) {
    try {
      server.open(socket);
    } catch (ListenException e) {
      LOG.debug("{} is not answered: {}", socket, e.getMessage());
    }
  }

  /** There is nothing but the reason. */
  private record Refusing(ClusterUnavailableException why) implements Backend {
    @Override
    public Optional<Server> server() {
      throw why;
    }

    @Override
    public Optional<ApiHandler> leader() {
      throw why;
    }
  }
}
