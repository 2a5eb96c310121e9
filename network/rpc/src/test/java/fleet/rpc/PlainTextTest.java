package fleet.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.machine.HostPort;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plain text is for loopback, or for who asks for it in so many words. */
class PlainTextTest {

  /** An address of nobody, see RFC 5737. */
  private static final String ELSEWHERE = "192.0.2.1";

  private static final RpcSecurity LOOPBACK = new RpcSecurity.PlainText(false);
  private static final RpcSecurity EVERYWHERE = new RpcSecurity.PlainText(true);

  private static HostPort listen(String host, RpcSecurity security) throws IOException {
    try (RpcServer server = RpcServer.open(host, 0, security, List.of())) {
      return server.address();
    }
  }

  private static String call(String host, RpcSecurity security) throws IOException {
    ManagedChannel channel = new RpcChannels(security).open(new HostPort(host, 50059));
    try {
      return channel.authority();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void nobodyElsewhereIsServedInPlainText() {
    for (String host : List.of(ELSEWHERE, "0.0.0.0")) {
      assertThatThrownBy(() -> listen(host, LOOPBACK))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "plain text is for loopback only, and %s is reached from elsewhere; rpc_insecure=true"
                  + " allows it",
              host);
    }
  }

  @Test
  void nobodyElsewhereIsCalledInPlainText() {
    assertThatThrownBy(() -> call(ELSEWHERE, LOOPBACK))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "plain text is for loopback only, and 192.0.2.1:50059 is elsewhere; rpc_insecure=true"
                + " allows it");
  }

  @Test
  void loopbackIsSpokenToInPlainText() throws Exception {
    assertThat(listen("127.0.0.1", LOOPBACK).port()).isPositive();
    assertThat(call("127.0.0.1", LOOPBACK)).isEqualTo("127.0.0.1:50059");
  }

  @Test
  void whereItIsAskedForSoIsEverybody() throws Exception {
    // An address that is not the machine's own is taken for one that a router translates.
    assertThat(listen(ELSEWHERE, EVERYWHERE).host()).isEqualTo(ELSEWHERE);
    assertThat(call(ELSEWHERE, EVERYWHERE)).isEqualTo("192.0.2.1:50059");
  }
}
