package fleet.coordination.store;

import static fleet.coordination.store.Node.entry;
import static fleet.coordination.store.Node.stated;
import static fleet.coordination.store.Node.unit;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Machine;
import fleet.core.schedule.TargetState;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The requests to etcd, as etcd counts them itself. */
class RequestsTest extends StoreTest {

  private static final Pattern STARTED =
      Pattern.compile("grpc_server_(started_total|msg_received_total)\\{(.*)} ([0-9.e+]+)");
  private static final Pattern METHOD =
      Pattern.compile("grpc_method=\"(\\w+)\",grpc_service=\"etcdserverpb");
  private static final Machine OTHER = Node.machine("m2", "boot", "10.0.0.2");
  private static final String RENEWALS = "msg_received_total LeaseKeepAlive";
  private static final String STREAMS = "started_total LeaseKeepAlive";

  private Map<String, Long> counts() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      String metrics =
          client
              .send(
                  HttpRequest.newBuilder(etcd.client().resolve("/metrics")).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      Map<String, Long> counts = new TreeMap<>();
      Matcher line = STARTED.matcher(metrics);
      while (line.find()) {
        Matcher method = METHOD.matcher(line.group(2));
        if (method.find()) {
          counts.put(
              line.group(1) + " " + method.group(1), (long) Double.parseDouble(line.group(3)));
        }
      }
      return counts;
    }
  }

  private Map<String, Long> since(Map<String, Long> before) throws Exception {
    Map<String, Long> more = counts();
    more.replaceAll((method, count) -> count - before.getOrDefault(method, 0L));
    more.values().removeIf(count -> count == 0);
    return more;
  }

  private Node running(Machine machine, int units) throws Exception {
    for (int i = 0; i < units; i++) {
      engine.schedule(machine.id(), entry(unit(i), TargetState.LAUNCHED));
    }
    Node node = closed(Node.join(openRegistry(machine.id()), machine));
    for (int i = 0; i < units; i++) {
      node.session.report(List.of(stated(machine.id(), unit(i), "running")));
    }
    heard.awaitMachine(machine);
    for (int i = 0; i < units; i++) {
      heard.awaitReport(machine.id(), stated(machine.id(), unit(i), "running"));
    }
    node.follower.await(() -> node.follower.schedule().size() == units);
    // It has asked for the rest long before its lease is renewed for the second time.
    node.awaitAcknowledgements(2);
    return node;
  }

  @Test
  void atRestLeasesAreRenewedAndNothingElseIsAsked() throws Exception {
    Node node = running(MACHINE, 50);
    long revision = engineSide.read("nothing").revision();
    Map<String, Long> before = counts();

    node.awaitAcknowledgements(6);

    Map<String, Long> more = since(before);
    // A busy etcd may answer too late for a stream of renewals, which then begins again.
    assertThat(more.keySet()).contains(RENEWALS).isSubsetOf(RENEWALS, STREAMS);
    assertThat(more.getOrDefault(STREAMS, 0L)).isLessThan(more.get(RENEWALS));
    assertThat(engineSide.read("nothing").revision()).isEqualTo(revision);
  }

  @Test
  void anEntryForOneMachineWakesNoOther() throws Exception {
    Node node = running(MACHINE, 5);
    Node other = running(OTHER, 5);
    List<String> heardBefore = node.follower.heard();
    Map<String, Long> before = counts();

    engine.schedule(OTHER.id(), entry(unit(77), TargetState.LAUNCHED));
    other.follower.awaitEntry(unit(77));
    other.session.report(List.of(stated(OTHER.id(), unit(77), "running")));
    heard.awaitReport(OTHER.id(), stated(OTHER.id(), unit(77), "running"));

    Map<String, Long> more = since(before);
    assertThat(more)
        .containsEntry("started_total Range", 1L)
        .containsEntry("started_total Txn", 2L);
    assertThat(more.keySet())
        .isSubsetOf(
            "started_total Range",
            "msg_received_total Range",
            "started_total Txn",
            "msg_received_total Txn",
            "started_total LeaseKeepAlive",
            RENEWALS);
    assertThat(node.follower.heard()).isEqualTo(heardBefore);
  }
}
