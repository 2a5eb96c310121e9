package fleet.core.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GlobTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          web.service,      web.service,      true
          web.service,      web.service2,     false
          '',               '',               true
          '',               a,                false
          *,                '',               true
          *,                anything,         true
          *,                a/b,              false
          a*/b,             ax/b,             true
          a*/b,             a/c/b,            false
          web@*.service,    web@1.service,    true
          web@*.service,    web@.service,     true
          web@*.service,    web@1.timer,      false
          *a*b*c,           xxaxxbxxaxbxc,    true
          *a*b*c,           xxaxxbxxaxbxd,    false
          **,               abc,              true
          a?c,              abc,              true
          a?c,              ac,               false
          a?c,              a/c,              false
          [a-c]x,           bx,               true
          [a-c]x,           dx,               false
          [^a-c]x,          dx,               true
          [^a-c]x,          bx,               false
          [^a]x,            /x,               false
          [abx-z]*,         yes,              true
          [\\]]x,           ]x,               true
          [\\--0]x,         .x,               true
          [a-\\c]x,         bx,               true
          [!a]x,            !x,               true
          \\*,              *,                true
          \\*,              a,                false
          x\\2dy.mount,     x2dy.mount,       true
          web.se*[a-f]ice,  web.servfice,     true
          """)
  void aPatternMatchesTheWholeText(String pattern, String text, boolean matches) {
    assertThat(new Glob(pattern).isWellFormed()).isTrue();
    assertThat(new Glob(pattern).matches(text)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[", "[a", "a[]b", "[]", "[^]", "[a-", "[a-]", "[-a]", "[a]b]c[", "a\\", "[\\", "[a\\"
      })
  void aMalformedPatternMatchesNothing(String pattern) {
    Glob glob = new Glob(pattern);

    assertThat(glob.isWellFormed()).isFalse();
    assertThat(glob.matches(pattern)).isFalse();
    assertThat(glob.matches("a")).isFalse();
  }

  @Test
  void onlyAPatternWithoutSpecialCharactersIsLiteral() {
    assertThat(new Glob("web@1.service").isLiteral()).isTrue();
    assertThat(new Glob("web@?.service").isLiteral()).isFalse();
    assertThat(new Glob("a\\b.service").isLiteral()).isFalse();
  }

  @Test
  void aQuotedTextMatchesItselfAlone() {
    for (String text : new String[] {"web@1.service", "a\\x2db@*.[service", "?"}) {
      assertThat(new Glob(Glob.quoted(text)).matches(text)).isTrue();
      assertThat(new Glob(Glob.quoted(text)).matches("ax2db@1.[service")).isFalse();
    }
  }

  @Test
  void manyStarsDoNotMakeAMatchSlow() {
    assertThat(new Glob("*a".repeat(100) + "b").matches("a".repeat(20_000))).isFalse();
  }
}
