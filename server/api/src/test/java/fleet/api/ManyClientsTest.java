package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class ManyClientsTest {

  private static final String FILE =
      "{\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"/bin/true\"}]}";

  private final ApiUnderTest api;

  ManyClientsTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws Exception {
    api.close();
  }

  @Test
  void manyClientsAtOnceAreAllAnswered() throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> answered = new ArrayList<>();
      for (int client = 0; client < 40; client++) {
        String prefix = "/fleet/v1/units/c" + client + "-";
        answered.add(clients.submit(() -> talk(prefix)));
      }
      for (Future<Integer> count : answered) {
        assertThat(count.get()).isEqualTo(20);
      }
    }
    assertThat(api.cluster.units()).hasSize(400);
  }

  private int talk(String prefix) throws Exception {
    int good = 0;
    try (RawConnection wire = api.connect()) {
      for (int i = 0; i < 10; i++) {
        String path = prefix + i + ".service";
        good +=
            wire.request("PUT", path, FILE, "Content-Type: application/json").status() == 201
                ? 1
                : 0;
        good += wire.get(path).status() == 200 ? 1 : 0;
      }
    }
    return good;
  }

  @Test
  void manyFollowersAllSeeWhatHappensAndTakeNoThreadsFromOthers() throws Exception {
    List<RawConnection> followers = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        RawConnection wire = api.connect();
        followers.add(wire);
        wire.ask("GET", "/fleet/v1/events", "");
        wire.head();
        assertThat(wire.chunk()).isNotEmpty();
      }
      api.cluster.events.happen(
          new Event.Body(Kind.MACHINE_GONE, Subject.of("m1"), Cause.of("left")));
      for (RawConnection wire : followers) {
        awaitEvent(wire, "machine-gone");
      }
      assertThat(api.get("/fleet/v1/units").status()).isEqualTo(200);
    } finally {
      for (RawConnection wire : followers) {
        wire.close();
      }
    }
    for (int i = 0; i < 100; i++) {
      assertThat(api.cluster.events.closedStreams.take()).isNotNull();
    }
  }

  /** A follower that has waited for long has had a sign of life before the event. */
  private static void awaitEvent(RawConnection wire, String kind) throws Exception {
    byte[] chunk = wire.chunk();
    while (!new String(chunk, UTF_8).contains(kind)) {
      assertThat(chunk).as("before " + kind).isNotEmpty();
      chunk = wire.chunk();
    }
  }
}
