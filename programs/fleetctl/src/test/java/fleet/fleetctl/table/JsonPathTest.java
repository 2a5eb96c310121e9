package fleet.fleetctl.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.entities.EntityJson;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonPathTest {

  private static final String MACHINES =
      """
      [{"id":"m1","state":"ready","metadata":{"region":"eu","disk.kind":"ssd"},"units":3},
       {"id":"m2","state":"lost","units":12,"leader":true},
       {"id":"m3","state":"lost","metadata":{"region":"us"}}]
      """;

  private static String apply(String template) throws Exception {
    return JsonPath.parse(template)
        .apply(EntityJson.tree(MACHINES.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{[0].id} | m1",
        "{$[0].id} | m1",
        "{[-1].id} | m3",
        "{[*].id} | m1 m2 m3",
        "{.[*].id} | m1 m2 m3",
        "[*].id | m1 m2 m3",
        "{[1:3].id} | m2 m3",
        "{[:2].id} | m1 m2",
        "{[0].metadata.region} | eu",
        "{[0].metadata['disk.kind']} | ssd",
        "{[0].metadata[\"disk.kind\"]} | ssd",
        "{[0].metadata.*} | eu ssd",
        "{[0].metadata} | {\"region\":\"eu\",\"disk.kind\":\"ssd\"}",
        "{[*].units} | 3 12",
        "{[?(@.state==\"lost\")].id} | m2 m3",
        "{[?(@.state!='lost')].id} | m1",
        "{[?(@.metadata.region == 'us')].id} | m3",
        "{[?(@.metadata)].id} | m1 m3",
        "{[?(@.units>3)].id} | m2",
        "{[?(@.units<=3)].id} | m1",
        "{[?(@.leader==true)].id} | m2",
        "{[?(@.leader!=true)].id} | m1 m3",
        "first: {[0].id}, last: {[-1].id} | first: m1, last: m3",
        "{range [*]}{.id}{\"=\"}{.state}{\";\"}{end} | m1=ready;m2=lost;m3=lost;",
        "{range [?(@.state=='lost')]}<{.id}>{end} | <m2><m3>",
        "{range [0:1]}{range $[*]}{@.id},{end}{end} | m1,m2,m3,",
        "{[*]['id']} | m1 m2 m3"
      })
  void printsWhatAPathLeadsTo(String template, String text) throws Exception {
    assertThat(apply(template)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{.name}", "{[7].id}", "{[*].nosuch}", "{[0].id.x}", "{[-9]}", "{[9:]}"})
  void aPathThatLeadsNowherePrintsNothing(String template) throws Exception {
    assertThat(apply(template)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"'{\"\\n\"}', '\n'", "'{\"a\\tb\\\\\"}', 'a\tb\\'"})
  void quotedTextsHaveEscapes(String template, String text) throws Exception {
    assertThat(apply(template)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{[*.id} | at character 4 of \"{[*.id}\": expected ]",
        "{[*].id | at character 8 of \"{[*].id\": expected }",
        "{name} | at character 2 of \"{name}\": expected a path such as .name or [*].name",
        "{[x]} | \"x\" is not a number",
        "{[]} | expected a number, *, a quoted name or ?(",
        "{range [*]}{.id} | {range} without {end}",
        "{.id}{end} | {end} without {range}",
        "{\"a} | the quote \" is not closed",
        "{[?(@.state==lost)].id} | expected a quoted text, a number, true or false",
        "{[?(@.state==\"lost\"].id} | expected )"
      })
  void aTemplateThatCannotBeReadIsRefusedWithThePosition(String template, String why) {
    assertThatThrownBy(() -> JsonPath.parse(template))
        .isInstanceOf(InvalidExpressionException.class)
        .hasMessageStartingWith("invalid jsonpath at character ")
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void anEmptyTemplateIsRefused(String template) {
    assertThatThrownBy(() -> JsonPath.parse(template)).hasMessageContaining("is empty");
  }
}
