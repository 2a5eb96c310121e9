package fleet.api.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TcpTest {

  private static BoundSocket open(String host, int port, boolean insecure) throws ListenException {
    return new Listen.Tcp(
            InetSocketAddress.createUnresolved(host, port), Optional.empty(), insecure)
        .open();
  }

  @Test
  void loopbackIsAllowed() throws Exception {
    try (BoundSocket bound = open("127.0.0.1", 0, false)) {
      InetSocketAddress address = (InetSocketAddress) bound.channel().getLocalAddress();
      assertThat(bound.description()).isEqualTo("http://127.0.0.1:" + address.getPort());
    }
  }

  @Test
  void theNetworkIsRefusedUnlessAskedForInSoManyWords() throws Exception {
    assertThatThrownBy(() -> open("0.0.0.0", 49153, false))
        .isInstanceOf(ListenException.class)
        .hasMessageStartingWith("refusing to listen at 0.0.0.0:49153: everybody who reaches it")
        .hasMessageContaining("insecure_tcp=true");
    try (BoundSocket bound = open("0.0.0.0", 0, true)) {
      assertThat(bound.channel().isOpen()).isTrue();
    }
  }

  @Test
  void anAddressThatCannotBeHadSaysWhy() throws Exception {
    try (BoundSocket first = open("127.0.0.1", 0, false)) {
      int port = ((InetSocketAddress) first.channel().getLocalAddress()).getPort();
      assertThatThrownBy(() -> open("127.0.0.1", port, false))
          .hasMessage("cannot listen at 127.0.0.1:" + port + ": Address already in use");
    }
    assertThatThrownBy(() -> open("nowhere.invalid", 80, true))
        .hasMessage("cannot listen at nowhere.invalid:80: the name has no address");
  }
}
