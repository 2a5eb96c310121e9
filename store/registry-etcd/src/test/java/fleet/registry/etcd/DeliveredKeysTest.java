package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveredKeysTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void itKnowsWhatASetKnows(long seed) {
    Random random = new Random(seed);
    Set<String> expected = new HashSet<>();
    DeliveredKeys told = new DeliveredKeys();
    for (int i = 0; i < 20_000; i++) {
      String key = "unit/\u00fc" + random.nextInt(1_000);
      if (random.nextInt(5) < 2) {
        told.remove(key);
        expected.remove(key);
      } else {
        told.add(key);
        expected.add(key);
      }
      assertThat(told.contains(key)).isEqualTo(expected.contains(key));
    }
    List<String> found = new ArrayList<>();
    told.forEach(found::add);
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
  }
}
