package fleet.fleetctl.dashboard;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import fleet.fleetctl.client.FleetClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A port of the loopback at which the browser of one person reaches fleetd, with this person's
 * role. {@link BrowserAccess} decides who that is; {@link RequestRelay} passes requests on. Each
 * request has a virtual thread.
 */
public final class DashboardServer implements Closeable {

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final BrowserAccess access;
  private final RequestRelay relay;

  /**
   * Opens the port, and answers from then on.
   *
   * @param port 0 for any that is free
   */
  public DashboardServer(FleetClient client, int port) throws IOException {
    // Otherwise the end of each small answer would wait for the browser's acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    relay = new RequestRelay(client);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), 0);
    access = new BrowserAccess(server.getAddress().getPort());
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** The link that opens the dashboard in one browser, once. */
  public String link() {
    return access.link();
  }

  /**
   * Asks for the page, as the browser is about to: the first request takes a tenth of a second, in
   * which Java loads its own server. Returns when the answer has come, or none will.
   */
  public void warmUp() {
    String request =
        "GET / HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nConnection: close\r\n\r\n"
            .formatted(URI.create(access.link()).getAuthority(), access.cookie());
    try (Socket socket =
        new Socket(server.getAddress().getAddress(), server.getAddress().getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      // The browser meets the same failure, and shows it.
    }
  }

  /** A failure cuts the connection, so that no browser takes half an answer for a whole one. */
  private void answer(HttpExchange exchange) throws IOException {
    URI target = exchange.getRequestURI();
    if (!access.isMeantForUs(exchange.getRequestHeaders())) {
      refuse(exchange, "This request was meant for another address, or is of a page of one.");
    } else if (BrowserAccess.isByLink(target)) {
      admit(exchange, target);
    } else if (!access.isKnown(exchange.getRequestHeaders())) {
      refuse(exchange, "Open the link that fleetctl dashboard has printed.");
    } else {
      relay.answer(exchange);
    }
    exchange.close();
  }

  private void admit(HttpExchange exchange, URI target) throws IOException {
    if (!exchange.getRequestMethod().equals("GET") || !access.admit(target)) {
      refuse(
          exchange,
          "This link was used before, or is not of this dashboard. Run fleetctl dashboard again.");
      return;
    }
    exchange.getResponseHeaders().set("Set-Cookie", access.cookie());
    exchange.getResponseHeaders().set("Location", "/");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
    exchange.sendResponseHeaders(303, -1);
  }

  private static void refuse(HttpExchange exchange, String why) throws IOException {
    byte[] body = (why + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(403, body.length);
    exchange.getResponseBody().write(body);
  }

  /** Ends all answers, and gives the port back. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
