package fleet.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import javax.net.ssl.SSLSession;

/**
 * Ends calls to servers that are no longer trusted. TLS checks once: existing connections and
 * resumed sessions are not checked again. Nothing from such a server reaches the caller.
 */
final class BelievedServers implements ClientInterceptor {

  private static final Status REFUSED =
      Status.UNAUTHENTICATED.withDescription(
          "this server is no longer trusted: it was removed from the cluster, or its certificate is"
              + " by a former authority");

  private final RpcSecurity.Identification peers;

  BelievedServers(RpcSecurity.Identification peers) {
    this.peers = peers;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        super.start(new Judging<>(this, listener), headers);
      }
    };
  }

  private boolean isBelieved(ClientCall<?, ?> call) {
    SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    return session == null || peers.isBelieved(session);
  }

  private final class Judging<A> extends SimpleForwardingClientCallListener<A> {
    private final ClientCall<?, A> call;
    private boolean refused;

    Judging(ClientCall<?, A> call, ClientCall.Listener<A> listener) {
      super(listener);
      this.call = call;
    }

    @Override
    public void onHeaders(Metadata headers) {
      if (isHeard()) {
        super.onHeaders(headers);
      }
    }

    @Override
    public void onMessage(A message) {
      if (isHeard()) {
        super.onMessage(message);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      super.onClose(refused ? REFUSED : status, trailers);
    }

    private boolean isHeard() {
      if (!refused && !isBelieved(call)) {
        refused = true;
        call.cancel(REFUSED.getDescription(), null);
      }
      return !refused;
    }
  }
}
