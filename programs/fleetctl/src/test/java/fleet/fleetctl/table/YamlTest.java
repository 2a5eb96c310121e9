package fleet.fleetctl.table;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.text.JsonText;
import fleet.entities.EntityJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class YamlTest {

  private static String yaml(String json) throws Exception {
    return Yaml.of(EntityJson.tree(json.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void writesWhatTheApiAnswers() throws Exception {
    assertThat(
            yaml(
                """
                [{"name":"web@1.service","options":[{"section":"Service","name":"ExecStart",\
                "value":"/bin/sh -c 'echo: $A # b'"},{"section":"Unit"}],"require":["a=b","c"],\
                "restartCounter":3,"global":true,"metadata":{"region":"eu","a.b":"1"},"none":[]},\
                {"name":"b"}]
                """))
        .isEqualTo(
            """
            - name: web@1.service
              options:
              - section: Service
                name: ExecStart
                value: "/bin/sh -c 'echo: $A # b'"
              - section: Unit
              require:
              - a=b
              - c
              restartCounter: 3
              global: true
              metadata:
                region: eu
                a.b: "1"
              none: []
            - name: b
            """);
  }

  @Test
  void nestedListsAndEmptyThingsHaveAForm() {
    assertThat(Yaml.of(List.of(List.of("a", "b"), Map.of(), List.of())))
        .isEqualTo("- - a\n  - b\n- {}\n- []\n");
    assertThat(Yaml.of(List.of())).isEqualTo("[]\n");
  }

  /** Readers take these for booleans, numbers, times, comments, maps or nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yes",
        "No",
        "on",
        "null",
        "true",
        "~",
        "1",
        "1e3",
        "0x1f",
        "12:30",
        "-",
        "- a",
        "a: b",
        "a #b",
        "#a",
        " a",
        "a ",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`a",
        "{a",
        "[a",
        "a:",
        "?",
        "'a",
        "2026-01-01T00:00:00Z",
        ".5",
        "a\nb",
        "|",
        ">"
      })
  void textsThatMayBeTakenForSomethingElseAreQuoted(String text) {
    assertThat(Yaml.of(List.of(text))).isEqualTo("- " + JsonText.of(text) + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"web@1.service", "/bin/true", "a b", "a=b,c=d", "http://a:80/x", "x-1_2"})
  void otherTextsAreNot(String text) {
    assertThat(Yaml.of(List.of(text))).isEqualTo("- " + text + "\n");
  }
}
