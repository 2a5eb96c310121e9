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
    assertThat(NameQuery.of(List.of("a.service", "b@x\\x2d.service")))
        .extracting(NameQuery::query)
        .containsExactly("unit=a.service&unit=b@x%5Cx2d.service");
  }

  @Test
  void noNameIsNoQuery() {
    assertThat(NameQuery.of(List.of())).isEmpty();
  }

  @Test
  void manyNamesAreSeveralQueriesAndEachNameIsInOne() {
    List<String> names = IntStream.range(0, 2_000).mapToObj(i -> "unit-" + i + ".service").toList();
    List<NameQuery> filters = NameQuery.of(names);
    assertThat(filters).hasSizeGreaterThan(5).allMatch(filter -> filter.query().length() <= 4000);
    assertThat(filters.stream().map(NameQuery::query).collect(Collectors.joining("&")))
        .isEqualTo(names.stream().map(name -> "unit=" + name).collect(Collectors.joining("&")));
    assertThat(filters.getLast().asked()).hasSize(2_000);
  }

  @Test
  void anAnswerWithOtherUnitsDidNotHeedTheFilter() {
    NameQuery filter = NameQuery.of(List.of("a.service", "b.service")).getFirst();
    assertThat(filter.wasHeeded(Set.of("a.service"))).isTrue();
    assertThat(filter.wasHeeded(Set.of("a.service", "c.service"))).isFalse();
  }
}
