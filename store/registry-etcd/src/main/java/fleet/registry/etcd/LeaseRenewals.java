package fleet.registry.etcd;

import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Carries the renewals of leases over one stream, one after the other: jetcd opens a stream for
 * each, which is most of what a leader at rest would cost.
 *
 * <p>A renewal that comes while another waits for its answer has a stream of its own, so that none
 * waits behind one that hangs. etcd itself ends a stream that it cannot answer after seconds. Safe
 * for many threads.
 */
final class LeaseRenewals implements ClientInterceptor {

  private static final MethodDescriptor<LeaseKeepAliveRequest, LeaseKeepAliveResponse> RENEWAL =
      LeaseGrpc.getLeaseKeepAliveMethod();

  /** The stream that the next renewal takes. */
  private final AtomicReference<@Nullable Stream> idle = new AtomicReference<>();

  @Override
  @SuppressWarnings("unchecked") // If the methods are the same, so are their messages.
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return method.equals(RENEWAL)
        ? (ClientCall<Q, A>) new Renewal(options, next)
        : next.newCall(method, options);
  }

  /** A renewal that jetcd takes for a stream of its own: one request, and one answer. */
  private final class Renewal extends ClientCall<LeaseKeepAliveRequest, LeaseKeepAliveResponse> {

    private final CallOptions options;
    private final Channel channel;
    private Listener<LeaseKeepAliveResponse> listener = new Listener<>() {};
    private Metadata headers = new Metadata();
    private boolean sent;

    private Renewal(CallOptions options, Channel channel) {
      this.options = options;
      this.channel = channel;
    }

    @Override
    public void start(Listener<LeaseKeepAliveResponse> hears, Metadata with) {
      listener = hears;
      headers = with;
    }

    /** jetcd repeats its request when it ends its stream; that is not passed on. */
    @Override
    public void sendMessage(LeaseKeepAliveRequest message) {
      if (sent) {
        return;
      }
      sent = true;
      Stream free = idle.getAndSet(null);
      if (free == null || !free.carry(this, message)) {
        // Answers are only passed on: they need no other thread than the connection's.
        var call = channel.newCall(RENEWAL, options.withExecutor(Runnable::run));
        new Stream(call, this).start(headers, message);
      }
    }

    private void answered(LeaseKeepAliveResponse answer) {
      listener.onMessage(answer);
      listener.onClose(Status.OK, new Metadata());
    }

    private void failed(Status status, Metadata trailers) {
      listener.onClose(status, trailers);
    }

    @Override
    public void request(int messages) {}

    @Override
    public void halfClose() {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {}
  }

  /** A stream to etcd; carries one renewal at a time. */
  private final class Stream extends ClientCall.Listener<LeaseKeepAliveResponse> {

    private final ClientCall<LeaseKeepAliveRequest, LeaseKeepAliveResponse> call;
    private @Nullable Renewal carried;
    private boolean over;

    /**
     * @param first what it carries from the beginning: it may end before it has started, and then
     *     that is told as well
     */
    private Stream(ClientCall<LeaseKeepAliveRequest, LeaseKeepAliveResponse> call, Renewal first) {
      this.call = call;
      this.carried = first;
    }

    private void start(Metadata headers, LeaseKeepAliveRequest first) {
      call.start(this, headers);
      // No more comes than is asked for, and asking for each would wake the connection once more.
      call.request(Integer.MAX_VALUE);
      call.sendMessage(first);
    }

    /** False if the stream has ended meanwhile. */
    private boolean carry(Renewal renewal, LeaseKeepAliveRequest request) {
      synchronized (this) {
        if (over) {
          return false;
        }
        carried = renewal;
      }
      call.sendMessage(request);
      return true;
    }

    @Override
    public void onMessage(LeaseKeepAliveResponse answer) {
      Renewal answered = delivered();
      if (!idle.compareAndSet(null, this)) {
        call.halfClose();
      }
      if (answered != null) {
        answered.answered(answer);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      Renewal failed;
      synchronized (this) {
        over = true;
        failed = delivered();
      }
      idle.compareAndSet(this, null);
      if (failed != null) {
        failed.failed(status, trailers);
      }
    }

    private synchronized @Nullable Renewal delivered() {
      Renewal delivered = carried;
      carried = null;
      return delivered;
    }
  }
}
