package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.EtcdMetrics;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.MachineTransport;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The requests to etcd, by its own count. */
@ExtendWith(MachinesExtension.class)
class StoreTrafficTest {

  private static final int ROUNDS = 4;
  private static final Set<String> RENEWALS = Set.of("LeaseKeepAlive");

  @ParameterizedTest
  @EnumSource
  void onePlacementCostsTheSameOnSixMachinesAndRestCostsOnlyRenewals(
      MachineTransport transport, Machines machines) {
    FleetCluster cluster = FleetCluster.boot(machines, 3, transport.setting(), "agent_ttl=6s");
    FleetMachine first = cluster.machine(1);
    first.sleeper("rests@.service").succeed("start", "rests@1", "rests@2", "rests@3");
    Map<String, Long> atThree = cheapest(cluster);

    cluster.add(3);
    Map<String, Long> atSix = cheapest(cluster);

    // A request more or less is chance: whether two reports went together. Three more machines are
    // not.
    assertThat(sum(atSix))
        .as("%s, with three machines %s", atSix, atThree)
        .isLessThan(sum(atThree) + 3);

    rests(cluster);
    EtcdMetrics before = cluster.etcd().metrics();
    first.machine().succeed("sleep", "10");
    assertThat(cluster.etcd().metrics().requestsSince(before).keySet()).isEqualTo(RENEWALS);
  }

  /** The cheapest of several: writes of one moment share a request, but not always. */
  private static Map<String, Long> cheapest(FleetCluster cluster) {
    return Stream.generate(() -> onePlacement(cluster))
        .limit(ROUNDS)
        .min(Comparator.comparingLong(StoreTrafficTest::sum))
        .orElseThrow();
  }

  /** The requests that one new unit costs, without those that happen by themselves meanwhile. */
  private static Map<String, Long> onePlacement(FleetCluster cluster) {
    FleetMachine first = cluster.machine(1);
    first.sleeper("warm.service").succeed("start", "warm.service");
    first.succeed("destroy", "warm.service");
    first.sleeper("placed.service");
    rests(cluster);

    EtcdMetrics before = cluster.etcd().metrics();
    first.succeed("start", "placed.service");
    rests(cluster);
    var requests = new TreeMap<>(cluster.etcd().metrics().requestsSince(before));
    first.succeed("destroy", "placed.service");
    requests.keySet().removeAll(RENEWALS);
    return requests;
  }

  /**
   * Waits until all is done that a command leaves to do: a second in which nothing is asked for.
   */
  private static void rests(FleetCluster cluster) {
    cluster.await(
        "etcd rests",
        () -> {
          EtcdMetrics before = cluster.etcd().metrics();
          cluster.machine(1).machine().succeed("sleep", "1");
          return RENEWALS.containsAll(cluster.etcd().metrics().requestsSince(before).keySet());
        });
  }

  private static long sum(Map<String, Long> requests) {
    return requests.values().stream().mapToLong(Long::longValue).sum();
  }
}
