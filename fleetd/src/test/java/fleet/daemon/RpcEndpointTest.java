package fleet.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.HostPort;
import fleet.daemon.membership.ServerMembership;
import fleet.registry.Registry;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.trust.StoredAuthority;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RpcEndpointTest {

  @TempDir Path directory;

  @Test
  void theFirstQuestionWaitsForTheIdentity() throws Exception {
    Clock clock = Clock.systemUTC();
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch registryAnswers = new CountDownLatch(1);
    try (Registry registry = EmbeddedRegistry.open(directory);
        RpcEndpoint calls =
            RpcEndpoint.calling(
                false,
                () -> {
                  asked.countDown();
                  registryAnswers.await();
                  return new ServerMembership(
                          new StoredAuthority(registry, clock), directory, "m1", clock)
                      .begin();
                })) {
      CompletableFuture<Boolean> question = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> question.complete(canAsk(calls)));
      asked.await();
      registryAnswers.countDown();

      assertThat(question.get(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static boolean canAsk(RpcEndpoint calls) {
    try {
      calls.begin(Duration.ofSeconds(30));
      calls.channels().open(new HostPort("127.0.0.1", 1)).shutdownNow();
      return true;
    } catch (Exception e) {
      return false;
    }
  }
}
