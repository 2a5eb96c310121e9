package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.audit.AuditLog;
import fleet.core.machine.HostPort;
import fleet.core.metric.Meter;
import fleet.core.testing.ServerPorts;
import fleet.fleetd.membership.ServerMembership;
import fleet.registry.Registry;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.rpc.PeerAdmission;
import fleet.trust.IdentityBindings;
import fleet.trust.ServerKeyFile;
import fleet.trust.ServerKeys;
import fleet.trust.StoredAuthority;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
                          new StoredAuthority(
                              registry,
                              new ServerKeys(registry, new ServerKeyFile(directory), "m1", clock),
                              clock),
                          new IdentityBindings(registry, clock, "m1"),
                          directory,
                          "m1",
                          clock)
                      .begin();
                },
                Meter.NONE)) {
      CompletableFuture<Boolean> question = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> question.complete(canAsk(calls)));
      asked.await();
      registryAnswers.countDown();

      assertThat(question.get()).isTrue();
    }
  }

  /** A client that finds the port open and a service missing takes this for another version. */
  @Test
  void nothingIsServedThatWasNotThereWhenItBegan() throws Exception {
    ServerServiceDefinition service = ServerServiceDefinition.builder("fleet.Test").build();
    try (RpcEndpoint endpoint = insecure("", ServerPorts.take(1).getFirst())) {
      endpoint.serve(service);
      endpoint.start();
      assertThatThrownBy(() -> endpoint.serve(service)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aPortIsNotThereBeforeItIsNeeded() throws Exception {
    int port = ServerPorts.take(1).getFirst();
    List<Runnable> needed = new ArrayList<>();
    BlockingQueue<HostPort> told = new LinkedBlockingQueue<>();
    try (RpcEndpoint endpoint = insecure("127.0.0.1", port)) {
      endpoint.onOpen(told::add);
      endpoint.startWhen(needed::add);
      endpoint.awaitTried(Duration.ofHours(1));
      assertThat(endpoint.isOpen()).isFalse();
      assertThat(endpoint.problem()).as("all is in order").isEmpty();

      needed.forEach(Runnable::run);
      needed.forEach(Runnable::run);
      assertThat(told.take()).isEqualTo(new HostPort("127.0.0.1", port));
      connect("127.0.0.1", port);
    }
  }

  @Test
  void aPortThatMovesIsOpenThereAndStillWhereItWas() throws Exception {
    int port = ServerPorts.take(1).getFirst();
    BlockingQueue<HostPort> told = new LinkedBlockingQueue<>();
    try (RpcEndpoint endpoint = insecure("", port)) {
      endpoint.onOpen(told::add);
      endpoint.begin(Duration.ofHours(1));
      assertThat(endpoint.isOpen()).as("without an address").isFalse();
      assertThat(endpoint.problem())
          .hasValueSatisfying(it -> assertThat(it).contains("no address"));
      assertThat(endpoint.opening()).isEmpty();

      boolean moved = false;
      for (String host : List.of("127.0.0.1", "127.0.0.2", "127.0.0.1")) {
        endpoint.move(host);
        assertThat(told.take()).isEqualTo(new HostPort(host, port));
        assertThat(endpoint.opening().orElseThrow().moved()).isEqualTo(moved);
        moved = true;
        connect(host, port);
      }
      connect("127.0.0.2", port);
      assertThat(endpoint.isHere(new HostPort("127.0.0.2", port))).isTrue();

      endpoint.move("");
      assertThat(endpoint.opening()).isEmpty();
      assertThat(endpoint.problem()).isPresent();
      endpoint.move("127.0.0.1");
      assertThat(told.take()).isEqualTo(new HostPort("127.0.0.1", port));
      assertThat(endpoint.opening().orElseThrow().moved()).as("again").isTrue();
      assertThat(endpoint.problem()).isEmpty();
    }
  }

  @Test
  void anAddressThatARouterTranslatesTakesTheWholePort() throws Exception {
    int port = ServerPorts.take(1).getFirst();
    BlockingQueue<HostPort> told = new LinkedBlockingQueue<>();
    try (RpcEndpoint endpoint = insecure("127.0.0.1", port)) {
      endpoint.onOpen(told::add);
      endpoint.begin(Duration.ofHours(1));
      for (String host : List.of("127.0.0.1", "192.0.2.1", "192.0.2.2")) {
        endpoint.move(host);
        assertThat(told.take()).isEqualTo(new HostPort(host, port));
        connect("127.0.0.1", port);
      }
    }
  }

  private static RpcEndpoint insecure(String host, int port) {
    return RpcEndpoint.serving(
        host,
        port,
        true,
        () -> {
          throw new IllegalStateException("needs no identity");
        },
        PeerAdmission.ALL,
        AuditLog.NONE,
        Meter.NONE);
  }

  private static void connect(String host, int port) throws IOException {
    new Socket(InetAddress.ofLiteral(host), port).close();
  }

  private static boolean canAsk(RpcEndpoint calls) {
    try {
      calls.begin(Duration.ofHours(1));
      calls.channels().open(new HostPort("127.0.0.1", 1)).shutdownNow();
      return true;
    } catch (Exception e) {
      return false;
    }
  }
}
