package fleet.core.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class UnitNameTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # name,            without suffix, prefix, instance, template
          web.service,       web,            web,    '',       ''
          web@1.service,     web@1,          web,    1,        web@.service
          web@.service,      web@,           web,    '',       ''
          web@a@b.timer,     web@a@b,        web,    a@b,      web@.timer
          web@a.b.socket,    web@a.b,        web,    a.b,      web@.socket
          a.b.path,          a.b,            a.b,    '',       ''
          x\\x2dy.mount,     x\\x2dy,        x\\x2dy, '',      ''
          """)
  void aNameIsCutAtItsFirstAtSignAndItsLastDot(
      String name, String withoutSuffix, String prefix, String instance, String template) {
    UnitName unit = UnitName.of(name);

    assertThat(unit.withoutSuffix()).isEqualTo(withoutSuffix);
    assertThat(unit.prefix()).isEqualTo(prefix);
    assertThat(unit.instance()).isEqualTo(instance);
    assertThat(unit.template().map(UnitName::value).orElse("")).isEqualTo(template);
    assertThat(unit.isInstance()).isEqualTo(!template.isEmpty());
    assertThat(unit.isTemplate()).isEqualTo(name.contains("@."));
  }

  static List<Arguments> brokenNames() {
    return List.of(
        Arguments.of("", "unit name cannot be empty"),
        Arguments.of("a".repeat(249) + ".service", "unit name exceeds maximum length (256)"),
        Arguments.of("web", "unit name must contain \".\""),
        Arguments.of("web.", "unit name cannot end in \".\""),
        Arguments.of("web.exe", "invalid unit type: \"exe\""),
        Arguments.of("web.Service", "invalid unit type: \"Service\""),
        Arguments.of("web.snapshot", "invalid unit type: \"snapshot\""),
        Arguments.of("org.example.busname", "invalid unit type: \"busname\""),
        Arguments.of("we b@1.mount", "invalid unit type for template: \"mount\""),
        Arguments.of("@we b.service", "invalid character ' ' in unit name"),
        Arguments.of("a/b.service", "invalid character '/' in unit name"),
        Arguments.of("a\n.service", "invalid character '\n' in unit name"),
        Arguments.of("web\uD83D\uDE00.service", "invalid character '\uD83D\uDE00' in unit name"),
        Arguments.of("@web.service", "unit name cannot start in \"@\""),
        Arguments.of(".ghost.service", "unit name cannot start in \".\""),
        Arguments.of(".service", "unit name must have a part before \".service\""),
        Arguments.of(
            "a".repeat(248) + ".service",
            "unit name of 256 characters is too long for systemd (at most 255)"));
  }

  @ParameterizedTest
  @MethodSource("brokenNames")
  void theFirstBrokenRuleIsNamed(String name, String message) {
    assertThatThrownBy(() -> UnitName.of(name))
        .isInstanceOf(InvalidUnitNameException.class)
        .hasMessage(message);
  }

  @Test
  void theLongestNameThatSystemdTakesIsAccepted() {
    assertThat(UnitName.of("a".repeat(247) + ".service").value()).hasSize(255);
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeIsKnownByItsSuffix(UnitType type) {
    assertThat(UnitName.of("a:b-c_d.e\\f." + type.suffix()).type()).isEqualTo(type);
  }

  @ParameterizedTest
  @EnumSource
  void onlyTypesThatSystemdMakesTemplatesOfMayBeTemplates(UnitType type) {
    String template = "web@." + type.suffix();
    if (List.of("path", "service", "socket", "target", "timer").contains(type.suffix())) {
      assertThat(UnitName.of(template).isTemplate()).isTrue();
    } else {
      assertThatThrownBy(() -> UnitName.of(template)).hasMessageContaining("for template");
    }
  }

  @Test
  void aTemplateMakesInstances() {
    assertThat(UnitName.of("web@.service").instantiate("eu-1"))
        .isEqualTo(UnitName.of("web@eu-1.service"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"web.service", "web@1.service"})
  void onlyATemplateMakesInstances(String name) {
    assertThatThrownBy(() -> UnitName.of(name).instantiate("1"))
        .isInstanceOf(InvalidUnitNameException.class)
        .hasMessage("unit \"" + name + "\" is not a template: only name@.service has instances");
  }

  @ParameterizedTest
  @CsvSource({
    "'', instance of \"web@.service\" cannot be empty",
    "a/b, invalid character '/' in unit name"
  })
  void anInstanceMustFitIntoAName(String instance, String message) {
    assertThatThrownBy(() -> UnitName.of("web@.service").instantiate(instance))
        .isInstanceOf(InvalidUnitNameException.class)
        .hasMessage(message);
  }

  @Test
  void namesAreOrderedByTheirText() {
    assertThat(
            List.of(UnitName.of("b.service"), UnitName.of("a@2.service"), UnitName.of("a.timer")))
        .isSortedAccordingTo((a, b) -> b.compareTo(a))
        .extracting(UnitName::toString)
        .containsExactly("b.service", "a@2.service", "a.timer");
  }

  @ParameterizedTest
  @MethodSource("fleet.core.unit.Generator#seeds")
  void splittingAndInstantiatingAreInverse(long seed) {
    Generator generator = new Generator(seed);
    for (int i = 0; i < 100; i++) {
      UnitName template = generator.template();
      String instance = generator.instance();

      UnitName unit = template.instantiate(instance);

      assertThat(unit.template()).contains(template);
      assertThat(unit.instance()).isEqualTo(instance);
      assertThat(unit.prefix()).isEqualTo(template.prefix());
      assertThat(unit.prefix() + "@" + unit.instance()).isEqualTo(unit.withoutSuffix());
      assertThat(unit.withoutSuffix() + "." + unit.type().suffix()).isEqualTo(unit.value());
    }
  }
}
