package fleet.fleetctl.command;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A command against a fleetd whose answers the test gives itself, word for word. */
abstract class ServedCommandTest {

  @TempDir Path directory;

  private FakeHttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = FakeHttpServer.onSocket(directory.resolve("fleet.sock"), this::handle);
  }

  /** Nobody answers from then on. */
  @AfterEach
  void close() throws IOException {
    server.close();
  }

  /** Answers as {@link FakeHttpServer.Handler} does. */
  abstract boolean handle(Request request, OutputStream out) throws IOException;

  Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  Ran run(String... arguments) {
    return terminal().run(arguments);
  }
}
