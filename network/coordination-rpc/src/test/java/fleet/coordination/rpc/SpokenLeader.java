package fleet.coordination.rpc;

import fleet.core.machine.HostPort;
import fleet.rpc.RpcPeer;
import fleet.rpc.RpcSecurity;
import fleet.rpc.RpcServer;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A leader that says what a test has it say, on a real port, and keeps what it hears. */
final class SpokenLeader implements GrpcStreams.Host, AutoCloseable {

  /** The words of the leader when it hears something. */
  interface Answer {
    void to(FromAgent message, MessageStream<FromLeader> line);
  }

  final AtomicInteger arrivals = new AtomicInteger();
  private final BlockingQueue<FromAgent> said = new LinkedBlockingQueue<>();
  private final Answer answer;
  private final RpcServer server;

  SpokenLeader(Answer answer) throws IOException {
    this.answer = answer;
    this.server =
        RpcServer.open(
            "127.0.0.1", 0, new RpcSecurity.PlainText(false), List.of(GrpcStreams.service(this)));
  }

  HostPort address() {
    return server.address();
  }

  @Override
  public MessageStream.Listener<FromAgent> arrived(
      MessageStream<FromLeader> line, Optional<RpcPeer> peer) {
    arrivals.incrementAndGet();
    return new MessageStream.Listener<>() {
      @Override
      public void heard(FromAgent message) {
        said.add(message);
        answer.to(message, line);
        line.next();
      }

      @Override
      public void ready() {}

      @Override
      public void ended(String why) {}
    };
  }

  /** The next that it hears of that kind. */
  FromAgent await(FromAgent.SaidCase what) throws InterruptedException {
    FromAgent next = said.take();
    while (next.getSaidCase() != what) {
      next = said.take();
    }
    return next;
  }

  @Override
  public void close() {
    server.close();
  }
}
