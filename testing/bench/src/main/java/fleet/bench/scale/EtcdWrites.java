package fleet.bench.scale;

import fleet.testkit.EtcdMetrics;

/** Writes to etcd: entries of its log, whoever wrote them, and the bytes that came in. */
final class EtcdWrites {

  private static final String ENTRIES = "etcd_server_proposals_committed_total";
  private static final String BYTES = "etcd_network_client_grpc_received_bytes_total";

  private EtcdWrites() {}

  static double between(EtcdMetrics before, EtcdMetrics after) {
    return after.value(ENTRIES) - before.value(ENTRIES);
  }

  static double bytesBetween(EtcdMetrics before, EtcdMetrics after) {
    return after.value(BYTES) - before.value(BYTES);
  }
}
