package fleet.fleetctl.exec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.question.ExecFrame;
import fleet.core.question.TerminalWindow;
import fleet.entities.ExecEntity;
import fleet.fleetctl.client.ExecClient;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.http.ClientTlsFiles;
import fleet.fleetctl.http.Dialer;
import fleet.fleetctl.http.Endpoint;
import fleet.fleetctl.http.HttpClient;
import fleet.fleetctl.output.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteCommandTest {

  /** The fake takes no more of one piece of input. */
  private static final int ROOM = 3;

  @TempDir Path directory;

  private final StringBuilder input = new StringBuilder();
  private final CompletableFuture<String> typed = new CompletableFuture<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Output output = new Output(out, err, false, false);
  private volatile boolean breaksOff;
  private FakeHttpServer server;
  private ExecClient client;

  @BeforeEach
  void start() throws Exception {
    Path socket = directory.resolve("fleet.sock");
    server = FakeHttpServer.onSocket(socket, this::handle);
    Dialer dialer = new Dialer(List.of(Endpoint.parse("unix://" + socket)), ClientTlsFiles.NONE);
    client = new FleetClient(new HttpClient(dialer, 60_000), _ -> {}, _ -> {}).exec();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private boolean handle(Request request, OutputStream to) throws IOException {
    return switch (request.path()) {
      case "/fleet/v1/machines/m1/exec" -> run(to);
      case "/fleet/v1/machines/m1/exec-input" -> takeOrEnd(request, to);
      default -> FakeHttpServer.reply(to, 404, "");
    };
  }

  /** The command would wait for ever for input that was not taken. */
  private boolean takeOrEnd(Request request, OutputStream to) throws IOException {
    try {
      return take(request, to);
    } catch (IOException | RuntimeException | AssertionError e) {
      typed.completeExceptionally(e);
      throw e;
    }
  }

  /** Prints what is typed, and fails. */
  private boolean run(OutputStream to) throws IOException {
    FakeHttpServer.beginChunks(to, "Fleet-Exec-Session: s1", "Trailer: Fleet-Exit-Status");
    write(to, ExecFrame.Kind.BEGUN, "fleet-exec-1.service");
    write(to, ExecFrame.Kind.OUTPUT, breaksOff ? "half" : typed.join());
    if (breaksOff) {
      return false;
    }
    write(to, ExecFrame.Kind.KEEPALIVE, "");
    write(to, ExecFrame.Kind.ERRORS, "wrong");
    to.write("0\r\nFleet-Exit-Status: 7\r\n\r\n".getBytes(UTF_8));
    return true;
  }

  private static void write(OutputStream to, ExecFrame.Kind kind, String text) throws IOException {
    FakeHttpServer.chunk(to, new String(new ExecFrame(kind, text.getBytes(UTF_8)).bytes(), UTF_8));
  }

  private boolean take(Request request, OutputStream to) throws IOException {
    if (request.query().startsWith("session=s1&rows=")) {
      typed.complete(request.query());
      return FakeHttpServer.reply(to, 204, "");
    }
    assertThat(request.query()).startsWith("session=s1&offset=" + input.length());
    String text = request.body();
    input.append(text, 0, Math.min(ROOM, text.length()));
    if (request.query().endsWith("&last=1")) {
      typed.complete(input.toString());
    }
    return FakeHttpServer.reply(to, 200, "{\"taken\":%d}".formatted(input.length()));
  }

  private RemoteCommand running() throws Exception {
    return RemoteCommand.run(client, "m1", new ExecEntity(List.of("cat"), null));
  }

  @Test
  void inputGoesThereInThePiecesThatAreTakenAndAllComesBack() throws Exception {
    try (RemoteCommand command = running()) {
      command.sendInput(new ByteArrayInputStream("ten bytes\n".getBytes(UTF_8)));
      assertThat(command.copyTo(output)).isEqualTo(7);
    }
    assertThat(out.toString(UTF_8)).isEqualTo("ten bytes\n");
    assertThat(err.toString(UTF_8)).isEqualTo("wrong");
  }

  @Test
  void aNewSizeIsTold() throws Exception {
    try (RemoteCommand command = running()) {
      command.resize(new TerminalWindow(50, 132));
      assertThat(command.copyTo(output)).isEqualTo(7);
    }
    assertThat(out.toString(UTF_8)).isEqualTo("session=s1&rows=50&columns=132");
  }

  @Test
  void aConnectionThatBreaksOffIsNoEnd() throws Exception {
    breaksOff = true;
    try (RemoteCommand command = running()) {
      assertThatThrownBy(() -> command.copyTo(output)).isInstanceOf(IOException.class);
    }
    assertThat(out.toString(UTF_8)).isEqualTo("half");
  }

  @Test
  void theSizeOfATerminalIsReadAsSttyPrintsIt() {
    assertThat(LocalTerminal.window("24 80")).contains(new TerminalWindow(24, 80));
    assertThat(LocalTerminal.window("0 0")).isEmpty();
    assertThat(LocalTerminal.window("")).isEmpty();
  }
}
