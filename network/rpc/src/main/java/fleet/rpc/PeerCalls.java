package fleet.rpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The calls of each machine, so that they can be ended from here. Safe for use by many threads. */
final class PeerCalls {

  private final Map<String, Set<Cuttable<?, ?>>> byMachine = new ConcurrentHashMap<>();

  /** Begins a call that is ended with those of its machine. */
  <Q, A> ServerCall.Listener<Q> begin(
      String machine, ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    var cuttable = new Cuttable<>(call);
    byMachine.compute(
        machine,
        (_, calls) -> {
          Set<Cuttable<?, ?>> all = calls == null ? ConcurrentHashMap.newKeySet() : calls;
          all.add(cuttable);
          return all;
        });
    return new SimpleForwardingServerCallListener<>(next.startCall(cuttable, headers)) {
      @Override
      public void onComplete() {
        ended(machine, cuttable);
        super.onComplete();
      }

      @Override
      public void onCancel() {
        ended(machine, cuttable);
        super.onCancel();
      }
    };
  }

  private void ended(String machine, Cuttable<?, ?> call) {
    byMachine.computeIfPresent(
        machine,
        (_, calls) -> {
          calls.remove(call);
          return calls.isEmpty() ? null : calls;
        });
  }

  /** Ends all calls of a machine. */
  void cut(String machine, Status why) {
    Set<Cuttable<?, ?>> calls = byMachine.getOrDefault(machine, Set.of());
    calls.forEach(call -> call.cut(why));
  }

  /** A call takes messages of one thread at a time; after the cut they are dropped. */
  private static final class Cuttable<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private boolean over;

    Cuttable(ServerCall<Q, A> call) {
      super(call);
    }

    synchronized void cut(Status why) {
      close(why, new Metadata());
    }

    @Override
    public synchronized void sendHeaders(Metadata headers) {
      if (!over) {
        super.sendHeaders(headers);
      }
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
