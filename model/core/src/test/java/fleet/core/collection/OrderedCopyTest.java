package fleet.core.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OrderedCopyTest {

  private static final List<Integer> ORDER = List.of(7, 3, 5, 1, 9, 2, 8);

  @Test
  void aSetKeepsItsOrder() {
    assertThat(OrderedCopy.of(ORDER)).containsExactlyElementsOf(ORDER);
  }

  @Test
  void aMapKeepsItsOrder() {
    Map<Integer, String> numbers = new LinkedHashMap<>();
    ORDER.forEach(number -> numbers.put(number, "n" + number));
    assertThat(OrderedCopy.of(numbers).keySet()).containsExactlyElementsOf(ORDER);
  }

  @Test
  void aCopyIsOneOfItsOwnAndImmutable() {
    Map<String, String> original = new LinkedHashMap<>(Map.of("a", "b"));
    Map<String, String> copy = OrderedCopy.of(original);
    original.clear();
    assertThat(copy).containsExactly(Map.entry("a", "b"));
    assertThatThrownBy(copy::clear).isInstanceOf(UnsupportedOperationException.class);
    Set<Integer> numbers = OrderedCopy.of(ORDER);
    assertThatThrownBy(() -> numbers.remove(7)).isInstanceOf(UnsupportedOperationException.class);
  }
}
