package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import fleet.coordination.Leadership.Term;
import fleet.core.testing.Await;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Many standbys do not do all at once what one of them has to do. */
class CrowdTest extends ContestTest {

  private static final int STANDBYS = 20;

  /** Time passes for them in small steps, so that each sees what those before it have done. */
  @Test
  void aChangeOfLeaderTakesFewRequestsHoweverManyStandBy() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient();
        CapturedLog lines = new CapturedLog(LeaderProbe.class, Level.DEBUG)) {
      Contestant leader = contestant("leader").campaign();
      leader.awaitLead();
      List<Contestant> standbys = new ArrayList<>();
      for (int i = 0; i < STANDBYS; i++) {
        standbys.add(standing("standby" + i));
      }
      Entry led = leader.leader();
      awaitLines(lines, LeaderRecord.of(led).address(), STANDBYS);
      Map<String, Long> before = requests(http, etcd.client());

      leader.die();
      Await.until(() -> standbys.stream().anyMatch(one -> ends(one, led.lease())));
      awaitTold(standbys, new Change.Deleted(Keys.LEADER)::equals);
      Await.until(() -> standbys.stream().anyMatch(Contestant::leads));
      awaitTold(standbys, change -> isNewer(change, led));

      Map<String, Long> after = requests(http, etcd.client());
      after.replaceAll((method, count) -> count - before.getOrDefault(method, 0L));
      after.values().removeIf(count -> count == 0);
      assertThat(after.values().stream().mapToLong(Long::longValue).sum()).isLessThan(STANDBYS * 2);
      assertThat(after.getOrDefault("Txn", 0L)).as("%s", after).isLessThan(STANDBYS / 4);
      Contestant next = standbys.stream().filter(Contestant::leads).findFirst().orElseThrow();
      Term term = next.awaitLead();
      assertThat(term.continuous()).isTrue();
      assertThat(term.token()).isEqualTo(next.leader().created());
    }
  }

  /** Whether it is this one that ends the lease of the dead leader. */
  private static boolean ends(Contestant standby, long lease) {
    try {
      standby.pass(Duration.ofMillis(10));
      return standby.registry.revoked().contains(lease);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaitTold(List<Contestant> standbys, Predicate<Change> such)
      throws InterruptedException {
    for (Contestant standby : standbys) {
      standby.registry.awaitTold(such);
      standby.settle();
    }
  }

  private static boolean isNewer(Change change, Entry led) {
    return change instanceof Change.Written written
        && written.key().equals(Keys.LEADER)
        && written.entry().created() > led.created();
  }

  /** Unary calls that etcd has answered, by method. */
  private static Map<String, Long> requests(HttpClient http, URI etcd) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(etcd.resolve("/metrics")).build();
    Map<String, Long> counts = new TreeMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                http.send(request, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
      lines
          .lines()
          .filter(line -> line.startsWith("grpc_server_started_total{"))
          .forEach(line -> {
            String method = line.replaceAll(".*grpc_method=\"(\\w+)\".*", "$1");
            long count = (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
            counts.merge(method, count, Long::sum);
          });
    }
    return counts;
  }
}
