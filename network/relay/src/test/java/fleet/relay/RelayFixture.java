package fleet.relay;

import fleet.cluster.request.ApiHandler;
import fleet.cluster.request.ApiRequest;
import fleet.core.machine.HostPort;
import fleet.core.testing.ServerPorts;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import fleet.rpc.RpcServer;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A relay, and a leader that it knows of, over TCP on loopback. */
abstract class RelayFixture {

  static final RpcSecurity PLAIN = new RpcSecurity.PlainText(false);
  static final Duration LONG = Duration.ofMinutes(1);

  final KnownLeaders leaders = new KnownLeaders();
  final AtomicLong written = new AtomicLong();
  final AtomicLong awaited = new AtomicLong();
  final RpcChannels channels = new RpcChannels(PLAIN);
  final PlayedApi leader = new PlayedApi("first");
  RpcServer server;
  Relay relay;

  @BeforeEach
  void serve() {
    // At a port that nobody takes while a test restarts it.
    server = serve(leader, ServerPorts.take(1).getFirst());
    leaders.leads(server.address());
    relay = new Relay(leaders, channels, written::get, LONG);
  }

  RpcServer serve(ApiHandler handler, int port) {
    return serve(service(handler), port);
  }

  ServerServiceDefinition service(ApiHandler handler) {
    return new RequestService(handler, awaited::set).bindService();
  }

  static RpcServer serve(ServerServiceDefinition service, int port) {
    try {
      return RpcServer.open("127.0.0.1", port, PLAIN, List.of(service));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() {
    relay.close();
    server.close();
  }

  ReceivedAnswer answer(ApiRequest request) throws Exception {
    ReceivedAnswer answer = new ReceivedAnswer();
    relay.handle(request, answer);
    return answer;
  }

  /**
   * The same, on a thread of its own, whose failure is a piece of the answer: a test awaits those.
   */
  CompletableFuture<@Nullable Void> answering(ApiRequest request, ReceivedAnswer answer) {
    var done = new CompletableFuture<@Nullable Void>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            relay.handle(request, answer);
            done.complete(null);
          } catch (Exception e) {
            answer.pieces.add("failed: " + e);
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  static HostPort deadAddress() {
    return new HostPort("127.0.0.1", ServerPorts.take(1).getFirst());
  }
}
