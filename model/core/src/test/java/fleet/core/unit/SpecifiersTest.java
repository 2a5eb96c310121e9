package fleet.core.unit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpecifiersTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          web@1.service, %n,             web@1.service
          web@1.service, %N,             web@1
          web@1.service, %p,             web
          web@1.service, %i,             1
          web@1.service, db-%i@%p%i.x,   db-1@web1.x
          web.service,   %n|%N|%p|%i|,   web.service|web|web||
          web@1.service, '',             ''
          web@1.service, %H %m %%,       %H %m %%
          web@1.service, %%i,            %1
          web@1.service, 100%,           100%
          web@1.service, plain,          plain
          """)
  void onlyFourSpecifiersAreExpanded(String unit, String text, String expanded) {
    assertThat(Specifiers.expand(UnitName.of(unit), text)).isEqualTo(expanded);
  }

  @ParameterizedTest
  @CsvSource({"web@\\x69.service, %i, \\x69"})
  void escapesStayAsTheyAre(String unit, String text, String expanded) {
    assertThat(Specifiers.expand(UnitName.of(unit), text)).isEqualTo(expanded);
  }
}
