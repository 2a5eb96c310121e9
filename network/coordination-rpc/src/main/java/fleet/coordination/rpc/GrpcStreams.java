package fleet.coordination.rpc;

import fleet.core.fault.SystemCallFault;
import fleet.core.machine.HostPort;
import fleet.rpc.Methods;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Streams between agents and leaders over gRPC. */
final class GrpcStreams {

  /** Heartbeats that were answered while the agent's loop does something else. */
  private static final int MOST_AHEAD = 8;

  private GrpcStreams() {}

  /** Takes in those who open a stream. */
  interface Host {
    MessageStream.Listener<FromAgent> arrived(
        MessageStream<FromLeader> stream, Optional<RpcPeer> peer);
  }

  static ServerServiceDefinition service(Host host) {
    return ServerServiceDefinition.builder("fleet.rpc.v1.Coordination")
        .addMethod(
            Methods.coordinationJoin(),
            (call, _) -> {
              var stream = new ServerStream(call);
              return new ServerEvents(host.arrived(stream, RpcPeer.current()), stream);
            })
        .build();
  }

  /**
   * Opens a stream to a leader. Messages sent before it is connected go out then.
   *
   * @throws IOException with a message for the operator, if this must not be
   */
  static MessageStream<FromAgent> dial(
      RpcChannels channels, HostPort address, MessageStream.Listener<FromLeader> listener)
      throws IOException {
    ManagedChannel channel = channels.open(address);
    ClientCall<FromAgent, FromLeader> call =
        channel.newCall(
            Methods.coordinationJoin(),
            // Messages are only passed on, on the connection's thread.
            CallOptions.DEFAULT.withExecutor(Runnable::run));
    var stream = new ClientStream(channel, call);
    call.start(new ClientEvents(listener, stream), new Metadata());
    stream.next();
    return stream;
  }

  /** The leader's end. */
  private static final class ServerStream implements MessageStream<FromLeader> {
    private final ServerCall<FromAgent, FromLeader> call;
    private boolean begun;
    private boolean over;

    ServerStream(ServerCall<FromAgent, FromLeader> call) {
      this.call = call;
      call.request(1);
    }

    @Override
    public synchronized void send(FromLeader message) {
      if (over || call.isCancelled()) {
        return;
      }
      if (!begun) {
        begun = true;
        call.sendHeaders(new Metadata());
      }
      call.sendMessage(message);
    }

    @Override
    public synchronized boolean isReady() {
      return !over && (!begun || call.isReady());
    }

    @Override
    public void next() {
      call.request(1);
    }

    @Override
    public void end() {
      close(Status.OK);
    }

    @Override
    public void cut(String why) {
      close(Status.ABORTED.withDescription(why));
    }

    private synchronized void close(Status status) {
      if (over || call.isCancelled()) {
        return;
      }
      over = true;
      if (!begun && status.isOk()) {
        begun = true;
        call.sendHeaders(new Metadata());
      }
      call.close(status, new Metadata());
    }
  }

  private static final class ServerEvents extends ServerCall.Listener<FromAgent> {
    private final MessageStream.Listener<FromAgent> listener;
    private final ServerStream stream;

    ServerEvents(MessageStream.Listener<FromAgent> listener, ServerStream stream) {
      this.listener = listener;
      this.stream = stream;
    }

    @Override
    public void onMessage(FromAgent message) {
      listener.heard(message);
    }

    @Override
    public void onReady() {
      listener.ready();
    }

    /** The agent says no more. */
    @Override
    public void onHalfClose() {
      stream.end();
      listener.ended("the agent has ended it");
    }

    @Override
    public void onCancel() {
      listener.ended("it broke");
    }

    @Override
    public void onComplete() {
      listener.ended("it is complete");
    }
  }

  /** The agent's end, with a connection of its own. */
  private static final class ClientStream implements MessageStream<FromAgent> {
    private final ManagedChannel channel;
    private final ClientCall<FromAgent, FromLeader> call;

    /** How many more may come than the listener has room for: they need none. */
    private final AtomicInteger ahead = new AtomicInteger();

    private boolean over;

    ClientStream(ManagedChannel channel, ClientCall<FromAgent, FromLeader> call) {
      this.channel = channel;
      this.call = call;
    }

    @Override
    public synchronized void send(FromAgent message) {
      if (!over) {
        call.sendMessage(message);
      }
    }

    @Override
    public synchronized boolean isReady() {
      return !over && call.isReady();
    }

    @Override
    public void next() {
      if (ahead.getAndUpdate(more -> Math.max(0, more - 1)) == 0) {
        call.request(1);
      }
    }

    /**
     * One message more may come already. Asked for by the connection's thread, it wakes nobody;
     * asked for by another, it wakes the connection.
     */
    void nextAhead() {
      if (ahead.get() < MOST_AHEAD) {
        ahead.incrementAndGet();
        call.request(1);
      }
    }

    @Override
    public synchronized void end() {
      if (!over) {
        over = true;
        call.halfClose();
        channel.shutdown();
      }
    }

    @Override
    public synchronized void cut(String why) {
      over = true;
      call.cancel(why, null);
      channel.shutdownNow();
    }

    /** The other side has ended it. */
    synchronized void closed() {
      over = true;
      channel.shutdownNow();
    }
  }

  private static final class ClientEvents extends ClientCall.Listener<FromLeader> {
    private final MessageStream.Listener<FromLeader> listener;
    private final ClientStream stream;

    ClientEvents(MessageStream.Listener<FromLeader> listener, ClientStream stream) {
      this.listener = listener;
      this.stream = stream;
    }

    @Override
    public void onMessage(FromLeader message) {
      if (message.hasAcknowledged()) {
        stream.nextAhead();
      }
      listener.heard(message);
    }

    @Override
    public void onReady() {
      listener.ready();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      stream.closed();
      listener.ended(why(status));
    }

    private static String why(Status status) {
      if (status.isOk()) {
        return "it was ended";
      }
      Throwable cause = status.getCause();
      return status.getCode()
          + (status.getDescription() == null ? "" : ": " + status.getDescription())
          + (cause == null
              ? ""
              : " (" + SystemCallFault.plain(String.valueOf(cause.getMessage())) + ")");
    }
  }
}
