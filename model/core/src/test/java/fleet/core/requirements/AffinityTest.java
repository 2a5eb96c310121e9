package fleet.core.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AffinityTest {

  private static Affinity read(String text) {
    return AffinityReader.read(text).affinity().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          zone==a            | zone==a
          zone == a          | zone==a
          zone !=~ a         | 1:zone!=~a
          17:zone==~a        | 17:zone==~a
          rack<3             | rack<3
          disk in ssd, nvme  | disk in ssd,nvme
          2:disk in~ ssd     | 2:disk in~ ssd
          unit!=web@*        | unit!=web@*
          unit==/^web@\\d+/   | unit==/^web@\\d+/
          """)
  void whatIsReadCanBeWrittenAndReadAgain(String text, String written) {
    assertThat(read(text)).hasToString(written);
    assertThat(read(written)).isEqualTo(read(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          zone=a      ; it is not [WEIGHT:]unit|KEY OP[~] VALUE with OP one of ==, !=, <, > and in
          zone==      ; there is nothing behind the operator
          5:zone==a   ; only a soft one has a weight: put a ~ behind the operator, or leave it out
          0:zone==~a  ; the weight "0" is not a number from 1 to 999999
          x:zone==~a  ; the weight "x" is not a number from 1 to 999999
          unit<3      ; units are not compared: use ==, != or in
          rack<low    ; "low" is not a number to compare with
          zone==/(/   ; "/(/" is malformed: missing closing )
          zone==/a(?=b)/ ; "/a(?=b)/" is malformed: invalid or unsupported Perl syntax
          """)
  void whatCannotBeReadSaysWhy(String text, String fault) {
    assertThat(AffinityReader.read(text).fault()).contains(fault);
  }

  @ParameterizedTest
  @CsvSource({
    "zone==eu-*, eu-1, true",
    "zone==eu-*, us-1, false",
    "zone==eu-*, '', false",
    "zone!=eu, us, true",
    "zone!=eu, '', true",
    "zone!=eu, eu, false",
    "zone in eu us, us, true",
    "zone==/eu/, the-eu-1, true",
    "zone<10, 9, true",
    "zone<10, 10, false",
    "zone>1.5, 2, true",
    "zone>1.5, two, false",
    "zone<10, '', false",
  })
  void metadataIsComparedAsItSays(String affinity, String value, boolean holds) {
    Map<String, String> metadata = value.isEmpty() ? Map.of() : Map.of("zone", value);

    assertThat(read(affinity).holds(metadata)).isEqualTo(holds);
  }

  @Test
  void softOnesComeBehindTheOthersTheHeaviestFirst() throws Exception {
    Requirements asked =
        Requirements.of(
            UnitName.of("web.service"),
            UnitFile.parse(
                "[X-Fleet]\nAffinity=2:a==~1\nAffinity=b==1\nAffinity=7:c==~1\nAffinity=d==1\n"));

    assertThat(asked.hardAffinities()).hasToString("[b==1, d==1]");
    assertThat(asked.softAffinities()).hasToString("[7:c==~1, 2:a==~1]");
  }

  @ParameterizedTest
  @MethodSource("tooLarge")
  void aRegularExpressionThatWouldTakeMoreThanAnEngineHasIsRefusedAndMatchesNothing(
      String regex, String fault) throws Exception {
    UnitFile file = UnitFile.parse("[X-Fleet]\nAffinity=unit==/" + regex + "/\n");

    assertThatThrownBy(() -> Requirements.validate(file))
        .isInstanceOf(InvalidRequirementsException.class)
        .hasMessageContaining(fault)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(800));
    assertThat(Requirements.of(UnitName.of("web.service"), file).affinities()).isEmpty();
  }

  static List<Arguments> tooLarge() {
    return List.of(
        Arguments.of(
            "(".repeat(450) + "n" + ")".repeat(450),
            "is nested and repeated 450 times, and may be 300 times: write a simpler one"),
        Arguments.of(
            "(".repeat(100_000) + "n" + ")".repeat(100_000),
            "has 200001 characters, and may have 1000"),
        Arguments.of("a{0,1000}", "is nested and repeated 1000 times"),
        Arguments.of("((a{90}){90}){90}", "with its repetitions written out"));
  }

  @Test
  void allLinesOfAUnitTogetherAreLimitedAsWell() throws Exception {
    UnitFile file = UnitFile.parse("[X-Fleet]\n" + "Affinity=unit!=/(a{30}){30}/\n".repeat(10_000));

    assertThatThrownBy(() -> Requirements.validate(file))
        .isInstanceOf(InvalidRequirementsException.class)
        .hasMessageContaining("write fewer or simpler ones");
    assertThat(Requirements.of(UnitName.of("web.service"), file).affinities())
        .hasSizeBetween(1, 100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^[a-f0-9]{64}$",
        "^([a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12})$",
        "^(web|api)@(\\d{1,3}\\.){3}\\d{1,3}",
        "web@{1",
      })
  void whatPeopleWriteIsNotTooLarge(String regex) {
    assertThat(RegexLimits.fault(regex)).isEmpty();
  }

  /** If each way to match were tried, this would take longer than the universe has been there. */
  @Test
  void noRegularExpressionHoldsAnybodyUp() {
    Affinity nested = read("unit==/^(a+)+$/");
    assertThat(nested.names("a".repeat(200) + "!")).isFalse();
    assertThat(nested.names("a".repeat(200))).isTrue();
  }
}
