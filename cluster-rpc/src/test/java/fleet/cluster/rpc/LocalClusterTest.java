package fleet.cluster.rpc;

import fleet.cluster.Cluster;

/** The contract holds for what is passed on: else its test would not say much. */
class LocalClusterTest extends ClusterContract {

  @Override
  Cluster cluster() {
    return played;
  }
}
