package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.HostPort;
import fleet.core.testing.RawHttp2;
import fleet.testkit.FleetMachine;
import fleet.testkit.Hangs;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Members;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Attacks of strangers on the network. */
@Order(1)
@ExtendWith(MachinesExtension.class)
class HardeningTest {

  private static final int RPC_PORT = 50059;
  private static final int ATTACKERS = 3;
  private static final int CONNECTIONS = 1_000;
  private static final int CALLS = 500;
  private static final long MOST_MORE_KB = 32 << 10;

  private static final List<String> PATHS =
      List.of("/fleet.rpc.v1.Directory/Ask", "/fleet.rpc.v1.Enrolment/Enrol", "");

  /** A server alone is not to be found; once it is, its strangers cost it nothing. */
  @Test
  void aFloodOfResetsNeitherEndsALeaderNorCostsItAMachineOrMemory(Machines machines) {
    List<FleetMachine> booted = machines.boot(2).stream().map(FleetMachine::new).toList();
    FleetMachine server = booted.getFirst().configureServer().install();
    assertThat(server.machine().succeed("ss", "--listening", "--tcp", "--numeric"))
        .as("before the first token")
        .doesNotContain(":" + RPC_PORT);
    JoinedCluster cluster = JoinedCluster.of(List.of(server), List.of(booted.getLast()));
    FleetMachine joined = cluster.joined(1);
    String id = joined.machine().id();
    server.sleeper("there.service", "MachineID=" + id).succeed("start", "there.service");
    String unit = joined.pid("there.service");
    String fleetd = server.pid("fleet.service");
    flood(server, 50);
    long before = kilobytes(server, fleetd);

    flood(server, CONNECTIONS);

    assertThat(server.pid("fleet.service")).isEqualTo(fleetd);
    assertThat(kilobytes(server, fleetd) - before).isLessThan(MOST_MORE_KB);
    assertThat(Members.listed(joined)).isEqualTo(2);
    assertThat(joined.pid("there.service")).isEqualTo(unit);
    assertThat(server.log()).doesNotContain("is lost");
    saysWhatItIsMadeOf(server);
  }

  private static void saysWhatItIsMadeOf(FleetMachine server) {
    String bill = server.machine().read("/opt/fleet/sbom.cdx.json");
    assertThat(bill).contains("\"bomFormat\": \"CycloneDX\"", "JDK");
    assertThat(server.machine().succeed("sh", "-c", "ls /opt/fleet/lib/*.jar").lines())
        .hasSizeGreaterThan(30)
        .allSatisfy(jar ->
            assertThat(bill)
                .containsPattern(
                    jar.replaceFirst(
                        ".*/(.+?)-(\\d.*)\\.jar", "\"name\": \"$1\", \"version\": \"$2\"")));
  }

  private static long kilobytes(FleetMachine server, String process) {
    String status = server.machine().read("/proc/%s/status".formatted(process));
    return Long.parseLong(status.replaceAll("(?s).*VmRSS:\\s*(\\d+) kB.*", "$1"));
  }

  private static void flood(FleetMachine server, int connections) {
    var to = new HostPort(server.machine().address(), RPC_PORT);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> attackers =
          IntStream.range(0, ATTACKERS)
              .<Future<?>>mapToObj(_ -> threads.submit(() -> attack(to, connections)))
              .toList();
      for (Future<?> attacker : attackers) {
        assertThat(attacker).succeedsWithin(Hangs.AFTER);
      }
    }
  }

  private static void attack(HostPort to, int connections) {
    for (int i = 0; i < connections; i++) {
      assertThat(isCut(to, PATHS.get(i % PATHS.size()))).isTrue();
    }
  }

  /** Gives calls up until it is. */
  private static boolean isCut(HostPort to, String path) {
    try (RawHttp2 stranger = new RawHttp2(to)) {
      var calls = new ByteArrayOutputStream();
      for (int call = 0; call < CALLS; call++) {
        calls.write(stranger.reset(path));
      }
      while (true) {
        stranger.write(calls.toByteArray());
      }
    } catch (IOException | GeneralSecurityException e) {
      return true;
    }
  }
}
