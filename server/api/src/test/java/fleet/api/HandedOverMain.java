package fleet.api;

import fleet.api.listen.PassedSockets;
import fleet.core.audit.AuditLog;
import java.util.List;
import java.util.Optional;

/** A daemon for {@link HandedOverTest}: serves what it is handed until it is told to end. */
final class HandedOverMain {
  private HandedOverMain() {}

  public static void main(String[] arguments) throws Exception {
    ApiServer server =
        new ApiServer(
            new FakeBackend(new FakeCluster(), new FakeTokens(), new FakeGrants()),
            PassedSockets.of(System.getenv(), ProcessHandle.current().pid(), false),
            new ApiSettings("2.0.0", 100, List.of(), Optional.empty()),
            AuditLog.NONE,
            ApiUnderTest.ready());
    server.start();
    server.sockets().forEach(socket -> System.out.println("HTTP API on " + socket.description()));
    Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
  }
}
