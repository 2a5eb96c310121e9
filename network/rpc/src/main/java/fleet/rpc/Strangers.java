package fleet.rpc;

import fleet.core.limit.SourceNetwork;
import io.grpc.Context;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Limits calls of unauthenticated callers. Everybody who reaches the port can make them: so each
 * connection has one at a time, and they are small and short. Few are answered at once, and fewer
 * from one network; a call counts once all of it has arrived, so that a slow one holds no place.
 * Safe for use by many threads.
 */
final class Strangers {

  /** The limit of all connections together. Each call is a question to the registry. */
  private static final int MOST = 32;

  private static final int MOST_OF_NETWORK = 16;

  /** A request to join has one or two kilobytes. */
  static final int LARGEST = 16 << 10;

  /** A caller gives up after twice that, and asks again. */
  private static final int SECONDS = 5;

  private static final Status FULL =
      Status.UNAVAILABLE.withDescription("too many machines want to join at once: try again");

  private static final Status SECOND =
      Status.UNAVAILABLE.withDescription(
          "somebody without a certificate makes one call at a time: try again");

  private static final Status LATE =
      Status.DEADLINE_EXCEEDED.withDescription(
          "not asked and answered within %d s: try again".formatted(SECONDS));

  private static final Status LARGE =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "more than %d bytes from somebody without a certificate".formatted(LARGEST));

  private static final Context.Key<Measure> MEASURE = Context.key("fleet-measure");

  private final ConnectionSlots places = new ConnectionSlots(MOST, MOST_OF_NETWORK);

  /** Measures calls from before they are let in. */
  static ServerStreamTracer.Factory measuring() {
    return new ServerStreamTracer.Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Measure();
      }
    };
  }

  /** Lets a call in, or closes it if its connection has one already. */
  <Q, A> ServerCall.Listener<Q> admit(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    StrangerConnection connection =
        Objects.requireNonNull(call.getAttributes().get(StrangerConnection.KEY));
    if (!connection.beginCall()) {
      call.close(SECOND, new Metadata());
      return new ServerCall.Listener<>() {};
    }
    Visit<Q, A> visit = new Visit<>(call);
    var _ =
        visit.ended.thenAccept(why -> {
          connection.endCall();
          visit.close(why, new Metadata());
        });
    MEASURE.get().onLarge(() -> visit.ended.complete(LARGE));
    return new Followed<>(
        next.startCall(visit, headers), visit, () -> isTaken(connection.network(), visit));
  }

  /** Takes a place until the call ends. */
  private boolean isTaken(SourceNetwork from, Visit<?, ?> visit) {
    boolean taken = places.take(from);
    if (taken) {
      var _ = visit.ended.thenRun(() -> places.leave(from));
    }
    return taken;
  }

  /** One such call. It may be ended from here while it is being answered. */
  private static final class Visit<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final CompletableFuture<Status> ended =
        new CompletableFuture<Status>().completeOnTimeout(LATE, SECONDS, TimeUnit.SECONDS);
    private boolean closed;

    Visit(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public synchronized void sendHeaders(Metadata headers) {
      if (!closed) {
        super.sendHeaders(headers);
      }
    }

    @Override
    public synchronized void sendMessage(A message) {
      if (!closed) {
        super.sendMessage(message);
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      synchronized (this) {
        if (closed) {
          return;
        }
        closed = true;
      }
      // Done first: the caller may make the next call as soon as it sees the end.
      ended.complete(status);
      synchronized (this) {
        super.close(status, trailers);
      }
    }

    /** The caller has gone. */
    void gone() {
      synchronized (this) {
        closed = true;
      }
      ended.complete(Status.CANCELLED);
    }
  }

  private static final class Followed<Q> extends SimpleForwardingServerCallListener<Q> {
    private final Visit<Q, ?> visit;
    private final BooleanSupplier place;

    /**
     * @param place takes a place for the call, if there is one
     */
    Followed(ServerCall.Listener<Q> listener, Visit<Q, ?> visit, BooleanSupplier place) {
      super(listener);
      this.visit = visit;
      this.place = place;
    }

    @Override
    public void onHalfClose() {
      if (place.getAsBoolean()) {
        super.onHalfClose();
      } else {
        visit.close(FULL, new Metadata());
      }
    }

    @Override
    public void onCancel() {
      visit.gone();
      super.onCancel();
    }
  }

  /** Counts what comes in of one call, also of a message that is not complete. */
  private static final class Measure extends ServerStreamTracer {
    private long bytes;
    private volatile Runnable onLarge = () -> {};

    /** Before anything is asked for, and so before anything counts. */
    void onLarge(Runnable action) {
      onLarge = action;
    }

    @Override
    public Context filterContext(Context context) {
      return context.withValue(MEASURE, this);
    }

    @Override
    public void inboundWireSize(long more) {
      bytes += more;
      if (bytes > LARGEST) {
        onLarge.run();
      }
    }
  }
}
