package fleet.fleetd.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class HeapSlackTest {

  private final HotSpotDiagnosticMXBean java =
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);

  @Test
  void whatHoldsOtherwiseHoldsAgainAfterIt() {
    String least = option("MinHeapFreeRatio");
    String most = option("MaxHeapFreeRatio");
    HeapSlack.AT_REST.collect();
    HeapSlack.AT_WORK.collect();
    assertThat(option("MinHeapFreeRatio")).isEqualTo(least);
    assertThat(option("MaxHeapFreeRatio")).isEqualTo(most);
  }

  private String option(String name) {
    return java.getVMOption(name).getValue();
  }
}
