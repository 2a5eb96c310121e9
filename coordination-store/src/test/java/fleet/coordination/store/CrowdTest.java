package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership.Term;
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
import org.junit.jupiter.api.Test;

/** Many standbys do not do all at once what one of them has to do. */
class CrowdTest extends ContestTest {

  private static final int STANDBYS = 20;

  @Test
  void aChangeOfLeaderTakesFewRequestsHoweverManyStandBy() throws Exception {
    List<Contestant> all = new ArrayList<>();
    try (HttpClient http = HttpClient.newHttpClient()) {
      Contestant leader = new Contestant("leader", etcd.client()).campaign();
      all.add(leader);
      leader.awaitLead();
      for (int i = 0; i < STANDBYS; i++) {
        all.add(new Contestant("standby" + i, etcd.client()).campaign());
      }
      // Lines to the leader, and then only renewals.
      leader.assertToldNothingFor(Duration.ofSeconds(2));
      Map<String, Long> before = requests(http, etcd.client());
      long began = System.nanoTime();
      leader.die();
      Awaiting.until(Duration.ofSeconds(10), () -> othersLead(all, leader));
      Duration taken = Duration.ofNanos(System.nanoTime() - began);
      leader.assertToldNothingFor(Duration.ofMillis(500));
      Map<String, Long> after = requests(http, etcd.client());
      after.replaceAll((method, count) -> count - before.getOrDefault(method, 0L));
      after.values().removeIf(count -> count == 0);
      assertThat(taken).as("%s", after).isLessThan(BEFORE_THE_LEASE_ENDS);
      assertThat(after.values().stream().mapToLong(Long::longValue).sum()).isLessThan(STANDBYS * 2);
      assertThat(after.getOrDefault("Txn", 0L)).as("%s", after).isLessThan(STANDBYS / 4);
      Contestant next =
          all.stream().filter(one -> one != leader && one.leads()).findFirst().orElseThrow();
      Term term = next.awaitLead();
      assertThat(term.continuous()).isTrue();
      assertThat(term.token()).isEqualTo(next.leader().created());
    } finally {
      all.forEach(Contestant::close);
    }
  }

  private static boolean othersLead(List<Contestant> all, Contestant leader) {
    return all.stream().anyMatch(one -> one != leader && one.leads());
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
