package fleet.fleetd;

import fleet.api.ApiServer;
import fleet.api.ApiSettings;
import fleet.api.Backend;
import fleet.api.MonitoringSources;
import fleet.api.Readiness;
import fleet.api.listen.BoundSocket;
import fleet.api.listen.Listen;
import fleet.api.listen.ListenException;
import fleet.api.listen.PassedSockets;
import fleet.api.listen.ServerTlsFiles;
import fleet.cluster.request.ApiHandler;
import fleet.fleetd.config.Configuration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP API, on the sockets that this fleetd was given. */
final class HttpApi implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HttpApi.class);

  private final ApiServer server;

  /** Nothing is opened before {@link #start}. */
  HttpApi(StartupInputs startup, Backend backend, Readiness readiness) throws ListenException {
    this.server =
        new ApiServer(
            backend,
            listens(startup),
            settings(startup.configuration()),
            startup.audit(),
            new MonitoringSources(startup.metrics(), readiness));
  }

  private static ApiSettings settings(Configuration configuration) {
    return new ApiSettings(
        FleetdVersion.current(),
        configuration.tokenLimit(),
        configuration.api().names(),
        configuration.api().certificateRole());
  }

  /** The sockets that systemd hands over, else fleetd's own; and the TCP addresses configured. */
  private static List<Listen> listens(StartupInputs startup) throws ListenException {
    Configuration.Api api = startup.configuration().api();
    List<Listen> listens =
        new ArrayList<>(
            PassedSockets.of(
                startup.environment(), ProcessHandle.current().pid(), api.insecureTcp()));
    if (listens.isEmpty()) {
      listens.add(new Listen.Unix(api.socket()));
    }
    Optional<ServerTlsFiles> tls =
        api.tls()
            .map(files -> new ServerTlsFiles(files.certfile(), files.keyfile(), files.cafile()));
    api.listen().forEach(address -> listens.add(new Listen.Tcp(address, tls, api.insecureTcp())));
    api.metricsListen().forEach(address -> listens.add(new Listen.Scrapers(address)));
    return listens;
  }

  /** Answers requests that other fleetds pass on. */
  ApiHandler relayed() {
    return server.relayed();
  }

  void start() throws ListenException {
    server.start();
    server.sockets().forEach(HttpApi::say);
  }

  /** Opens one more socket, after the start. */
  void open(Listen listen) throws ListenException {
    server.open(listen);
    say(server.sockets().getLast());
  }

  private static void say(BoundSocket socket) {
    LOG.info("HTTP API on {}", socket.description());
  }

  @Override
  public void close() {
    server.stop();
  }
}
