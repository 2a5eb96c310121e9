package fleet.fleetctl.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NaturalOrderTest {

  @Test
  void numbersInTextsCount() {
    List<String> ordered =
        List.of("", "1", "9a", "10", "10a", "app", "app@1", "app@02", "app@2b", "app@10", "b");

    assertThat(ordered.reversed().stream().sorted(new NaturalOrder())).isEqualTo(ordered);
    assertThat(new NaturalOrder().compare("99999999999999999999", "100000000000000000000"))
        .isNegative();
    assertThat(new NaturalOrder().compare("a00", "a0")).isZero();
  }
}
