package fleet.fleetctl.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NameFilterTest {

  @Test
  void aFewNamesAreOneQuery() {
    assertThat(NameFilter.of(List.of("a.service", "b@x\\x2d.service")))
        .extracting(NameFilter::query)
        .containsExactly("unit=a.service&unit=b@x%5Cx2d.service");
  }

  @Test
  void noNameIsNoQuery() {
    assertThat(NameFilter.of(List.of())).isEmpty();
  }

  @Test
  void manyNamesAreSeveralQueriesAndEachNameIsInOne() {
    List<String> names = IntStream.range(0, 2_000).mapToObj(i -> "unit-" + i + ".service").toList();
    List<NameFilter> filters = NameFilter.of(names);
    assertThat(filters).hasSizeGreaterThan(5).allMatch(filter -> filter.query().length() <= 4000);
    assertThat(filters.stream().map(NameFilter::query).collect(Collectors.joining("&")))
        .isEqualTo(names.stream().map(name -> "unit=" + name).collect(Collectors.joining("&")));
    assertThat(filters.getLast().asked()).hasSize(2_000);
  }

  @Test
  void anAnswerWithOtherUnitsDidNotHeedTheFilter() {
    NameFilter filter = NameFilter.of(List.of("a.service", "b.service")).getFirst();
    assertThat(filter.wasHeeded(Set.of("a.service"))).isTrue();
    assertThat(filter.wasHeeded(Set.of("a.service", "c.service"))).isFalse();
  }
}
