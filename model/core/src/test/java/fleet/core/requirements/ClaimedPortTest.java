package fleet.core.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimedPortTest {

  private static List<ClaimedPort> ports(String text) throws Exception {
    return Requirements.of(UnitName.of("web@5.socket"), UnitFile.parse(text)).ports();
  }

  private static void assertMeet(String one, String other, boolean meets) throws Exception {
    ClaimedPort first = ports(one).getFirst();
    ClaimedPort second = ports(other).getFirst();
    assertThat(first.meets(second)).isEqualTo(meets);
    assertThat(second.meets(first)).isEqualTo(meets);
  }

  @ParameterizedTest
  @CsvSource({
    "80, 80, true",
    "80, 81, false",
    "80, 80/udp, false",
    "127.0.0.1:80, 80, true",
    "127.0.0.1:80, *:80, true",
    "127.0.0.1:80, 127.0.0.2:80, false",
    "0.0.0.0:80, 127.0.0.2:80, true",
    "0.0.0.0:80, [::1]:80, false",
    "0.0.0.0:80, [::]:80, true",
    "[::1]:80, [::]:80, true",
    "[FE80::1]:80, [fe80::1]:80, true",
    "[::1]:80, [::2]:80, false",
    "[fe80::1%eth0]:80, [fe80::1%eth1]:80, false",
  })
  void portsMeetWhereNotBothCanBeHad(String one, String other, boolean meets) throws Exception {
    assertMeet("[X-Fleet]\nPorts=" + one + "\n", "[X-Fleet]\nPorts=" + other + "\n", meets);
  }

  @ParameterizedTest
  @CsvSource({
    "ListenStream=80, ListenStream=80, true",
    "ListenStream=80|ReusePort=yes, ListenStream=80, true",
    "ListenStream=80|ReusePort=yes, ListenStream=80|ReusePort=on, false",
    "ListenStream=80|BindIPv6Only=ipv6-only, ListenStream=0.0.0.0:80, false",
    "ListenStream=80|BindIPv6Only=ipv6-only, ListenStream=[::1]:80, true",
    "ListenStream=80|BindIPv6Only=both, ListenStream=0.0.0.0:80, true",
  })
  void socketsMeetWhereNotBothCanListen(String one, String other, boolean meets) throws Exception {
    assertMeet(
        "[Socket]\n" + one.replace('|', '\n') + "\n",
        "[Socket]\n" + other.replace('|', '\n') + "\n",
        meets);
  }

  @Test
  void aSharedPortMeetsWhoeverDoesNotShareIt() throws Exception {
    assertMeet("[X-Fleet]\nSharedPorts=80\n", "[X-Fleet]\nSharedPorts=80\n", false);
    assertMeet("[X-Fleet]\nSharedPorts=80\n", "[X-Fleet]\nPorts=80\n", true);
    assertMeet("[X-Fleet]\nSharedPorts=80\n", "[Socket]\nListenStream=80\n", true);
    assertMeet("[X-Fleet]\nSharedPorts=80\n", "[Socket]\nReusePort=1\nListenStream=80\n", false);
  }

  @Test
  void whatASocketListensOnIsItsPorts() throws Exception {
    String text =
        """
        [Socket]
        ListenStream=1
        ListenDatagram=2
        ListenStream=
        ListenStream=8080
        ListenStream=/run/web.sock
        ListenStream=vsock::80
        ListenStream=127.0.0.1:80%i
        ListenDatagram=53
        """;

    assertThat(ports(text)).hasToString("[8080, 127.0.0.1:805, 53/udp]");
    assertThat(Requirements.areSameForAll(UnitFile.parse(text))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PrivateNetwork=yes", "NetworkNamespacePath=/run/netns/web"})
  void aSocketWithANetworkOfItsOwnClaimsNoneOfTheMachines(String line) throws Exception {
    assertThat(ports("[Socket]\nListenStream=80\n" + line + "\n")).isEmpty();
  }
}
