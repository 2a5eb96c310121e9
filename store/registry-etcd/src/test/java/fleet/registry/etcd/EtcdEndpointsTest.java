package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.etcd.EtcdEndpoint.Request;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.common.exception.ClosedClientException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which endpoint a request takes as time passes, without an etcd. */
class EtcdEndpointsTest {

  private static final Duration PROMPT = Duration.ofMillis(600);
  private static final Duration REFUSED = Duration.ofSeconds(2);
  private static final Duration SILENT = Duration.ofSeconds(4);
  private static final Duration LITTLE = Duration.ofNanos(1);

  private final AtomicLong now = new AtomicLong();
  private final EtcdEndpoints endpoints =
      new EtcdEndpoints(
          List.of(URI.create("http://127.0.0.1:1"), URI.create("http://127.0.0.1:2")),
          0,
          endpoint -> Client.builder().endpoints(endpoint).build(),
          new ConnectionTimeouts(now::get, SILENT, SILENT));

  @AfterEach
  void close() {
    endpoints.close();
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  /** Three renewals in the time of the shortest TTL there is: one that hangs costs no lease. */
  @Test
  void anotherEndpointIsTakenWhileTheOneInUseHasNotAnsweredPromptly() {
    Request hanging = endpoints.begin();
    pass(PROMPT);
    assertThat(endpoints.begin().endpoint()).isSameAs(hanging.endpoint());
    pass(LITTLE);
    assertThat(endpoints.begin().endpoint()).isNotSameAs(hanging.endpoint());
  }

  @Test
  void theEndpointThatAnsweredInsteadStaysInUse() {
    Request hanging = endpoints.begin();
    pass(PROMPT.plus(LITTLE));
    Request answered = endpoints.begin();
    endpoints.answered(answered);
    assertThat(endpoints.begin().endpoint())
        .isSameAs(answered.endpoint())
        .isNotSameAs(hanging.endpoint());
  }

  @Test
  void anEndpointThatAnswersAgainIsTakenAgain() {
    Request late = endpoints.begin();
    pass(PROMPT.plus(LITTLE));
    late.answered();
    assertThat(endpoints.begin().endpoint()).isSameAs(late.endpoint());
  }

  /** Watches hang on that connection: gRPC itself would notice only after 10 s. */
  @Test
  void anEndpointThatIsSilentWhileAnotherAnswersLosesItsConnection() {
    Request hanging = endpoints.begin();
    Client old = hanging.client();
    Watch watches = old.getWatchClient();
    pass(SILENT);
    endpoints.answered(endpoints.begin());
    assertThat(hanging.client()).isSameAs(old);
    pass(LITTLE);
    endpoints.answered(endpoints.begin());
    assertClosed(watches);
    assertThat(hanging.client()).isNotSameAs(old);
  }

  /** The old connection waits for up to two minutes before it tries again. */
  @Test
  void anEndpointThatIsRefusedForSecondsIsConnectedAgain() {
    Request first = endpoints.begin();
    Client old = first.client();
    Watch watches = old.getWatchClient();
    pass(REFUSED);
    first.failed(refused());
    assertThat(first.client()).isSameAs(old);
    pass(LITTLE);
    first.failed(refused());
    assertClosed(watches);
    assertThat(first.client()).isNotSameAs(old);
  }

  private static EtcdFault refused() {
    return new EtcdFault(
        EtcdFault.Kind.NOT_SENT, "cannot be reached", new IllegalStateException("for a test"));
  }

  private static void assertClosed(Watch watches) {
    assertThatThrownBy(() -> watches.watch(ByteSequence.EMPTY, Watch.listener(_ -> {})))
        .isInstanceOf(ClosedClientException.class);
  }
}
