package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class StoreFallbackTest {

  private static final Optional<String> LEADER = Optional.of("10.0.0.1:50059");

  private final StoreFallback fallback = new StoreFallback();

  @Test
  void itIsToldWhenItBeginsAndWhenItIsOver() throws Exception {
    BlockingQueue<Optional<String>> told = new LinkedBlockingQueue<>();
    fallback.onChange(() -> told.add(fallback.problem(LEADER)));

    fallback.taken(true);
    assertThat(told.take())
        .contains(
            "no answer over the leader's RPC port at 10.0.0.1:50059, using etcd: check"
                + " that fleetd runs there and that this machine may connect to that port");
    fallback.taken(false);
    assertThat(told.take()).isEmpty();
  }

  @Test
  void whereTheLeaderIsSpokenToThroughTheStoreNothingIsBlocked() {
    fallback.taken(true);

    assertThat(fallback.problem(Optional.empty())).isEmpty();
  }
}
