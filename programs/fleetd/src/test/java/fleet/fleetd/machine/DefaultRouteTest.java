package fleet.fleetd.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DefaultRouteTest {
  private static final String HEADING =
      "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT";
  private static final String LOCAL = "eth0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0";

  @Test
  void routeToAnywhereNamesTheDevice() {
    assertThat(
            DefaultRoute.device(
                List.of(
                    HEADING, LOCAL, "eth1\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\t0\t0\t0")))
        .contains("eth1");
  }

  @Test
  void ofSeveralTheLowestMetricCounts() {
    assertThat(
            DefaultRoute.device(
                List.of(
                    HEADING,
                    "wlan0\t00000000\t010011AC\t0003\t0\t0\t600\t00000000\t0\t0\t0",
                    "eth0\t00000000\t010011AC\t0003\t0\t0\t100\t00000000\t0\t0\t0")))
        .contains("eth0");
  }

  @Test
  void routeThatIsDownOrOnlyHalfTheWorldDoesNotCount() {
    assertThat(
            DefaultRoute.device(
                List.of(
                    HEADING,
                    LOCAL,
                    "tun0\t00000000\t010011AC\t0003\t0\t0\t0\t00000080\t0\t0\t0",
                    "eth1\t00000000\t010011AC\t0002\t0\t0\t0\t00000000\t0\t0\t0")))
        .isEmpty();
  }

  @Test
  void emptyTableHasNone() {
    assertThat(DefaultRoute.device(List.of())).isEmpty();
  }
}
