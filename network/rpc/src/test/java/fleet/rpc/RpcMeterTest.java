package fleet.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.audit.AuditLog;
import fleet.core.metric.Metric;
import fleet.core.testing.Await;
import fleet.core.testing.RecordedMetrics;
import fleet.rpc.v1.Leader;
import fleet.rpc.v1.WhoLeads;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import java.util.List;
import org.junit.jupiter.api.Test;

class RpcMeterTest {

  private static final RpcSecurity PLAIN = new RpcSecurity.PlainText(false);

  private final RecordedMetrics served = new RecordedMetrics();
  private final RecordedMetrics asked = new RecordedMetrics();

  @Test
  void callsAndTheirBytesAreCountedOnBothSides() throws Exception {
    var directory =
        LeaderDirectoryService.service(() -> Leader.newBuilder().setAddress("m1:1").build());
    try (RpcServer server =
        RpcServer.open(
            "127.0.0.1", 0, PLAIN, List.of(directory), PeerAdmission.ALL, AuditLog.NONE, served)) {
      ManagedChannel channel = new RpcChannels(() -> PLAIN, asked).open(server.address());
      try {
        Leader _ =
            ClientCalls.blockingUnaryCall(
                channel,
                Methods.directoryAsk(),
                CallOptions.DEFAULT,
                WhoLeads.getDefaultInstance());
      } finally {
        channel.shutdownNow();
      }
      Await.until(() ->
          served.of(Metric.FLEET_RPC_STREAMS_TOTAL, "server") == 1
              && served.of(Metric.FLEET_RPC_STREAMS, "server") == 0);
    }
    assertThat(served.of(Metric.FLEET_RPC_STREAMS_TOTAL, "server")).isEqualTo(1);
    assertThat(served.of(Metric.FLEET_RPC_BYTES_TOTAL, "server", "sent")).isGreaterThan(4);
    assertThat(asked.of(Metric.FLEET_RPC_STREAMS_TOTAL, "client")).isEqualTo(1);
    assertThat(asked.of(Metric.FLEET_RPC_BYTES_TOTAL, "client", "received")).isGreaterThan(4);
    assertThat(asked.of(Metric.FLEET_RPC_STREAMS, "client")).isZero();
  }
}
