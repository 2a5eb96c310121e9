package fleet.relay;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Ends calls from this side, as those of a machine that is thrown out of the cluster. */
final class CutCalls implements ServerInterceptor {

  private final List<Runnable> cuts = new CopyOnWriteArrayList<>();

  void cut() {
    cuts.forEach(Runnable::run);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    var cuttable = new Cuttable<>(call);
    cuts.add(() -> cuttable.close(Status.PERMISSION_DENIED, new Metadata()));
    return next.startCall(cuttable, headers);
  }

  private static final class Cuttable<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private boolean over;

    Cuttable(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public synchronized void sendMessage(A message) {
      if (!over) {
        super.sendMessage(message);
      }
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
      if (!over) {
        over = true;
        super.close(status, trailers);
      }
    }
  }
}
