package fleet.api.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PassedSocketsTest {

  @Test
  void socketsForThisProcessAreTakenInOrder() throws ListenException {
    assertThat(PassedSockets.of(Map.of("LISTEN_FDS", "2", "LISTEN_PID", "77"), 77, true))
        .containsExactly(new Listen.Passed(3, true), new Listen.Passed(4, true));
  }

  @Test
  void socketsForAnotherProcessAreLeftAlone() throws ListenException {
    assertThat(PassedSockets.of(Map.of("LISTEN_FDS", "2", "LISTEN_PID", "76"), 77, false))
        .isEmpty();
    assertThat(PassedSockets.of(Map.of("LISTEN_FDS", "2"), 77, false)).isEmpty();
    assertThat(PassedSockets.of(Map.of(), 77, false)).isEmpty();
  }

  @Test
  void aCountThatIsNoneIsRefused() {
    assertThatThrownBy(
            () -> PassedSockets.of(Map.of("LISTEN_FDS", "x", "LISTEN_PID", "77"), 77, false))
        .hasMessage("LISTEN_FDS is \"x\", expected a number");
  }

  @Test
  void aDescriptorThatDoesNotListenIsRefused() {
    assertThatThrownBy(() -> new Listen.Passed(0, false).open())
        .isInstanceOf(ListenException.class)
        .hasMessage(
            "cannot listen on descriptor 0, handed over by systemd: it is no listening stream"
                + " socket: use ListenStream=");
  }
}
