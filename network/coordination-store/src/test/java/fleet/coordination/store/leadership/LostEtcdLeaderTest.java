package fleet.coordination.store.leadership;

import fleet.coordination.Leadership.Term;
import fleet.registry.etcd.EtcdServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leadership while etcd itself has no leader. */
class LostEtcdLeaderTest extends ContestTest {

  @Test
  void theLossOfEtcdsOwnLeaderDeposesNobody(@TempDir Path directory) throws Exception {
    List<EtcdServer> members = EtcdServer.cluster(directory, 3);
    members.forEach(this::opened);
    URI[] all = members.stream().map(EtcdServer::client).toArray(URI[]::new);
    Contestant leader = contestant("leader", all).campaign();
    Term term = leader.awaitLead();
    Contestant standby = standby("standby", all);
    EtcdServer lost = EtcdServer.leader(members);
    lost.kill();
    leader.awaitRenewal();
    assertNobodyDeposed(leader, term, standby);
    lost.restart();
    leader.awaitRenewal();
    assertNobodyDeposed(leader, term, standby);
  }
}
