package fleet.rpc;

import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/** Counts calls and their bytes, on the side that serves and on the side that asks. */
final class RpcMeter {

  private static final String SERVER = "server";
  private static final String CLIENT = "client";

  private final Meter meter;

  /** No calls are 0 calls, and not an absent gauge. */
  RpcMeter(Meter meter) {
    this.meter = meter;
    meter.record(Metric.FLEET_RPC_STREAMS, 0, SERVER);
    meter.record(Metric.FLEET_RPC_STREAMS, 0, CLIENT);
  }

  ServerStreamTracer.Factory server() {
    return new ServerStreamTracer.Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Served(new Stream(meter, SERVER));
      }
    };
  }

  ClientInterceptor client() {
    ClientStreamTracer.Factory tracers =
        new ClientStreamTracer.Factory() {
          @Override
          public ClientStreamTracer newClientStreamTracer(
              ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new Asked(new Stream(meter, CLIENT));
          }
        };
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return next.newCall(method, options.withStreamTracerFactory(tracers));
      }
    };
  }

  /** One call. */
  private static final class Stream {
    private final Meter meter;
    private final String side;
    private final AtomicBoolean over = new AtomicBoolean();

    Stream(Meter meter, String side) {
      this.meter = meter;
      this.side = side;
      meter.record(Metric.FLEET_RPC_STREAMS_TOTAL, 1, side);
      meter.record(Metric.FLEET_RPC_STREAMS, 1, side);
    }

    void received(long bytes) {
      meter.record(Metric.FLEET_RPC_BYTES_TOTAL, (double) bytes, side, "received");
    }

    void sent(long bytes) {
      meter.record(Metric.FLEET_RPC_BYTES_TOTAL, (double) bytes, side, "sent");
    }

    void over() {
      if (over.compareAndSet(false, true)) {
        meter.record(Metric.FLEET_RPC_STREAMS, -1, side);
      }
    }
  }

  private static final class Served extends ServerStreamTracer {
    private final Stream stream;

    Served(Stream stream) {
      this.stream = stream;
    }

    @Override
    public void inboundWireSize(long bytes) {
      stream.received(bytes);
    }

    @Override
    public void outboundWireSize(long bytes) {
      stream.sent(bytes);
    }

    @Override
    public void streamClosed(Status status) {
      stream.over();
    }
  }

  private static final class Asked extends ClientStreamTracer {
    private final Stream stream;

    Asked(Stream stream) {
      this.stream = stream;
    }

    @Override
    public void inboundWireSize(long bytes) {
      stream.received(bytes);
    }

    @Override
    public void outboundWireSize(long bytes) {
      stream.sent(bytes);
    }

    @Override
    public void streamClosed(Status status) {
      stream.over();
    }
  }
}
