package fleet.api;

import fleet.api.listen.BoundSocket;
import fleet.api.listen.Listen;
import fleet.api.listen.ListenException;
import fleet.cluster.request.ApiHandler;
import fleet.core.audit.AuditLog;
import fleet.core.metric.Metric;
import fleet.entities.EntityJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.HostPort;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP API on any number of sockets. Started and stopped once.
 *
 * <p>One platform thread for each socket, a virtual one for each request.
 */
public final class ApiServer {

  private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);

  /** For connections to close; answers have been waited for by then. */
  private static final long STOP_MILLIS = 1000;

  private static final long IDLE_CONNECTION_STOP_MILLIS = 50;
  private static final int SPARE_THREADS = 4;

  /** The sockets for people to log in. */
  private static final int LATER_SOCKETS = 8;

  private static final int HEADER_BYTES = 16 << 10;
  private static final int POOL_BUCKET = 16;
  private static final long POOL_BYTES = 1 << 20;

  private final List<Listen> listens;
  private final EntityJson json = new EntityJson();
  private final Streams streams = new Streams();
  private final ConnectionDrain drain;
  private final List<BoundSocket> sockets = new ArrayList<>();
  private final Gateway gateway;
  private final Server server;
  private final HttpConfiguration configuration;

  /** Nothing is opened before {@link #start}. */
  public ApiServer(
      Backend backend,
      List<Listen> listens,
      ApiSettings settings,
      AuditLog audit,
      MonitoringSources monitoring) {
    this(backend, listens, settings, audit, monitoring, new ConnectionDrain());
  }

  ApiServer(
      Backend backend,
      List<Listen> listens,
      ApiSettings settings,
      AuditLog audit,
      MonitoringSources monitoring,
      ConnectionDrain drain) {
    this.drain = drain;
    this.listens = List.copyOf(listens);
    this.server = server(listens.size() + LATER_SOCKETS);
    MetricStore store = monitoring.metrics();
    store.ask(meter -> meter.record(Metric.FLEET_BUILD_INFO, 1, settings.version()));
    HealthResource health = new HealthResource(monitoring.readiness());
    Routes routes =
        new Routes(settings, json, new MetricsResource(store, this::metricsOfCluster), health);
    this.gateway = new Gateway(routes, json, backend, audit);
    server.setErrorHandler(new JsonErrors(json));
    BrowserGuard browsers = new BrowserGuard(settings.names());
    server.setHandler(
        new GracefulHandler(
            new JettyHandler(
                gateway,
                browsers,
                streams,
                store,
                new Callers(backend, settings.vouched()),
                drain,
                new ScrapeListener(store, health))));
    this.configuration = configuration(settings.version());
  }

  private Optional<byte[]> metricsOfCluster() throws IOException {
    return gateway.ask(new OwnQuestion(MetricsResource.OF_CLUSTER));
  }

  /** Answers other fleetds that pass on their requests, if this one leads. */
  public ApiHandler relayed() {
    return gateway::answerRelayed;
  }

  /**
   * Opens the sockets and answers requests from then on.
   *
   * @throws ListenException if a socket cannot be opened; none is left open then
   */
  public synchronized void start() throws ListenException {
    try {
      for (Listen listen : listens) {
        BoundSocket socket = listen.open();
        sockets.add(socket);
        server.addConnector(connector(socket));
      }
      server.start();
    } catch (ListenException | RuntimeException e) {
      stop();
      throw e;
    } catch (Exception e) {
      stop();
      throw new ListenException("the HTTP API cannot be started: " + e.getMessage(), e);
    }
  }

  /**
   * Opens one more socket while others are served already.
   *
   * @throws ListenException if it cannot be opened
   */
  public synchronized void open(Listen listen) throws ListenException {
    BoundSocket socket = listen.open();
    try {
      ChannelConnector connector = connector(socket);
      server.addConnector(connector);
      connector.start();
    } catch (Exception e) {
      socket.close();
      throw new ListenException("cannot serve " + socket.description() + ": " + e.getMessage(), e);
    }
    sockets.add(socket);
  }

  /** The sockets that are open, in the order of the constructor's list. */
  public synchronized List<BoundSocket> sockets() {
    return List.copyOf(sockets);
  }

  /** Answers all clients that have connected, and ends streams. Takes some seconds at most. */
  public void stop() {
    streams.endAll();
    drain.begin();
    for (Connector connector : server.getConnectors()) {
      orderly(((ChannelConnector) connector)::acceptWaiting);
    }
    orderly(drain::await);
    orderly(server::stop);
    sockets().forEach(BoundSocket::close);
  }

  /** A failure does not keep the next step of a stop from being taken. */
  private static void orderly(Step step) {
    try {
      step.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn("HTTP API did not stop in order: {}", e.toString());
    }
  }

  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private static Server server(int sockets) {
    QueuedThreadPool threads = new QueuedThreadPool(sockets + SPARE_THREADS, 1);
    threads.setName("api");
    threads.setReservedThreads(0);
    threads.setVirtualThreadsExecutor(
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("api-request-", 0).factory()));
    Server server =
        new Server(
            threads,
            new ScheduledExecutorScheduler("api-timer", true),
            new ArrayByteBufferPool(0, -1, -1, POOL_BUCKET, POOL_BYTES, POOL_BYTES));
    server.setStopTimeout(STOP_MILLIS);
    return server;
  }

  private static HttpConfiguration configuration(String version) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    // It would take 100 KB for each connection, and most make one request.
    http.setHeaderCacheSize(0);
    // Paths are names and never files; Routes decodes them, and unit names may hold backslashes.
    http.setUriCompliance(UriCompliance.UNSAFE);
    // The default for an HTTP/1.0 request without a Host: a unix socket has no address.
    http.setServerAuthority(new HostPort("localhost"));
    http.addCustomizer((request, headers) -> {
      headers.put(HttpHeader.SERVER, "fleetd/" + version);
      return request;
    });
    return http;
  }

  private ChannelConnector connector(BoundSocket socket) {
    HttpConnectionFactory http = new HttpConnectionFactory(configuration);
    ConnectionFactory[] factories =
        socket
            .tls()
            .map(context -> new ConnectionFactory[] {tls(context, socket, http), http})
            .orElseGet(() -> new ConnectionFactory[] {http});
    ChannelConnector connector = new ChannelConnector(server, socket, drain, factories);
    connector.setShutdownIdleTimeout(IDLE_CONNECTION_STOP_MILLIS);
    return connector;
  }

  private static SslConnectionFactory tls(
      SSLContext context, BoundSocket socket, HttpConnectionFactory http) {
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setSslContext(context);
    // People without a certificate come to get one; Callers refuses everything else, with a
    // message.
    tls.setNeedClientAuth(!socket.ofCluster());
    tls.setWantClientAuth(socket.ofCluster());
    tls.setIncludeProtocols("TLSv1.2", "TLSv1.3");
    SslConnectionFactory factory = new SslConnectionFactory(tls, http.getProtocol());
    // It would refuse clients that use another address or name: only their certificate counts here.
    factory.setEnsureSecureRequestCustomizer(false);
    return factory;
  }
}
