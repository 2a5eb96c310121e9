package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.api.listen.Listen;
import fleet.api.listen.ListenException;
import fleet.cluster.request.ApiAnswer;
import fleet.core.audit.AuditLog;
import fleet.core.testing.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiServerTest {

  private static final ApiSettings SETTINGS =
      new ApiSettings("2.0.0", 100, List.of(), Optional.empty());

  @TempDir private Path directory;

  @Test
  void everySocketIsServedAndGoneAfterwards() throws Exception {
    Path one = directory.resolve("one.sock");
    Path two = directory.resolve("two.sock");
    ApiServer server =
        new ApiServer(
            new FakeBackend(new FakeCluster(), new FakeTokens(), new FakeGrants()),
            List.of(new Listen.Unix(one), new Listen.Unix(two)),
            SETTINGS,
            AuditLog.NONE,
            ApiUnderTest.ready());
    server.start();
    for (Path socket : List.of(one, two)) {
      try (RawConnection wire = RawConnection.to(socket)) {
        assertThat(wire.get("/fleet/v1/units").body()).isEqualTo("{}");
      }
    }
    server.stop();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void whereOneSocketCannotBeOpenedNoneIsLeftOpen() {
    Path good = directory.resolve("good.sock");
    Path bad = directory.resolve("no/bad.sock");
    ApiServer server =
        new ApiServer(
            new FakeBackend(new FakeCluster(), new FakeTokens(), new FakeGrants()),
            List.of(new Listen.Unix(good), new Listen.Unix(bad)),
            SETTINGS,
            AuditLog.NONE,
            ApiUnderTest.ready());
    assertThatThrownBy(server::start)
        .isInstanceOf(ListenException.class)
        .hasMessageContaining(bad.toString());
    assertThat(Files.exists(good)).isFalse();
  }

  /** It is told to stop while somebody has connected and not asked yet. */
  @Test
  void whoHasConnectedIsAnsweredByAServerThatStops() throws Exception {
    Path socket = directory.resolve("fleet.sock");
    ApiServer server =
        new ApiServer(
            new FakeBackend(new FakeCluster(), new FakeTokens(), new FakeGrants()),
            List.of(new Listen.Unix(socket)),
            SETTINGS,
            AuditLog.NONE,
            ApiUnderTest.ready(),
            new ConnectionDrain(Duration.ofMinutes(5), Duration.ofMinutes(5)));
    server.start();
    try (RawConnection early = RawConnection.to(socket);
        RawConnection later = RawConnection.to(socket)) {
      Thread stopping = Thread.ofVirtual().start(server::stop);
      Await.until(() -> Files.notExists(socket));

      assertThat(early.get("/fleet/v1/units").header("connection")).isEqualTo("close");
      assertThat(later.get("/fleet/v1/units").body()).isEqualTo("{}");

      stopping.join();
    }
  }

  @Test
  void noSocketIsNoError() throws Exception {
    ApiServer server =
        new ApiServer(
            new FakeBackend(new FakeCluster(), new FakeTokens(), new FakeGrants()),
            List.of(),
            SETTINGS,
            AuditLog.NONE,
            ApiUnderTest.ready());
    server.start();
    server.stop();
    assertThat(server.sockets()).isEmpty();
  }

  @Test
  void aPageSizeOutOfBoundsIsRefused() {
    for (int limit : new int[] {0, -1, 65536}) {
      assertThatThrownBy(() -> new ApiSettings("2.0.0", limit, List.of(), Optional.empty()))
          .hasMessage("token_limit is " + limit + ", it must be from 1 to 65535");
    }
  }

  /** A fleetd that passes a request on does not know what it is about. */
  @Test
  void requestsThatArePassedOnSayWhetherTheyMayBeRepeated() throws Exception {
    Path socket = directory.resolve("fleet.sock");
    Backend joined =
        Backend.joined((request, answer) -> {
          int status = request.mayBeRepeated() ? 204 : 202;
          answer.whole(new ApiAnswer.Head(status, Map.of(), false), new byte[0]);
        });
    ApiServer server =
        new ApiServer(
            joined,
            List.of(new Listen.Unix(socket)),
            SETTINGS,
            AuditLog.NONE,
            ApiUnderTest.ready());
    server.start();
    try (RawConnection wire = RawConnection.to(socket)) {
      assertThat(wire.request("POST", "/fleet/v1/machines/m1/uncordon", "").status())
          .isEqualTo(204);
      assertThat(wire.request("POST", "/fleet/v1/units/a.service/restart", "").status())
          .isEqualTo(202);
    } finally {
      server.stop();
    }
  }
}
