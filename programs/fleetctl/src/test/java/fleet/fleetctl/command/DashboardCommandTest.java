package fleet.fleetctl.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.Await;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class DashboardCommandTest extends ServedCommandTest {

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private volatile String page = "<!doctype html>";

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    return (request.target().equals("/") && !page.isEmpty())
        ? FakeHttpServer.reply(out, 200, page)
        : FakeHttpServer.reply(out, 405, "{\"error\":{\"code\":405,\"message\":\"\"}}");
  }

  /** Tells when the first line is complete. */
  private static final class FirstLine extends ByteArrayOutputStream {
    private final CompletableFuture<String> line = new CompletableFuture<>();

    @Override
    public synchronized void flush() {
      String text = toString(UTF_8);
      if (text.contains("\n")) {
        line.complete(text.split("\n", 2)[0]);
      }
    }
  }

  /** A run of the command, until it is interrupted. */
  private static final class Running implements AutoCloseable {
    private final FirstLine out = new FirstLine();
    private final CompletableFuture<Ran> end = new CompletableFuture<>();
    private final Thread thread;

    Running(Terminal terminal, String... arguments) {
      thread = Thread.ofPlatform().start(() -> end.complete(terminal.run(out, arguments)));
    }

    URI link() {
      return URI.create(out.line.join());
    }

    Ran stop() {
      thread.interrupt();
      return end.join();
    }

    @Override
    public void close() {
      Ran _ = stop();
    }
  }

  @Test
  void theLinkIsPrintedAndServedUntilTheEnd() throws IOException {
    int port;
    try (Running running = new Running(terminal(), "dashboard")) {
      URI link = running.link();
      port = link.getPort();
      assertThat(link.toString()).matches("http://127\\.0\\.0\\.1:\\d+/\\?key=[\\w-]{43}");
      try (Socket socket = new Socket(InetAddress.getByAddress(LOOPBACK), port)) {
        String target = link.getRawPath() + "?" + link.getRawQuery();
        socket
            .getOutputStream()
            .write(
                "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n"
                    .formatted(target, port)
                    .getBytes(UTF_8));
        assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
            .startsWith("HTTP/1.1 303 ");
      }
      Ran ran = running.stop();
      assertThat(ran.code()).isZero();
      assertThat(ran.err())
          .isEqualTo("The link works once, in one browser. Ctrl-C ends the dashboard.\n");
    }
    // The port is free again.
    new ServerSocket(port, 1, InetAddress.getByAddress(LOOPBACK)).close();
  }

  @Test
  void aPortThatIsTakenIsTold() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
      Ran ran = run("dashboard", "--port=" + taken.getLocalPort());
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err())
          .isEqualTo(
              "Error: cannot listen on 127.0.0.1:%d: Address already in use\n"
                  .formatted(taken.getLocalPort()));
    }
  }

  @Test
  void anEarlierDaemonIsTold() {
    page = "";
    Ran ran = run("dashboard");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("has no dashboard: upgrade it");
  }

  /** With a program in the place of xdg-open. */
  private Terminal withBrowser(String script) throws IOException {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    Path program = Files.writeString(bin.resolve("xdg-open"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return terminal().with("PATH", bin + ":/usr/bin:/bin").with("DISPLAY", ":0");
  }

  @Test
  void theBrowserIsStartedWithTheLink() throws Exception {
    Path opened = directory.resolve("opened");
    String script = "echo \"$1\" > %1$s.new; mv %1$s.new %1$s".formatted(opened);
    try (Running running = new Running(withBrowser(script), "dashboard", "--open")) {
      URI link = running.link();
      Await.until(() -> Files.exists(opened));
      assertThat(opened).hasContent(link.toString());
    }
  }

  @Test
  void withoutASessionNoBrowserIsStarted() {
    try (Running running = new Running(terminal(), "dashboard", "--open")) {
      assertThat(running.link().getHost()).isEqualTo("127.0.0.1");
      assertThat(running.stop().err())
          .contains("No browser was opened: there is no graphical session here.");
    }
  }
}
