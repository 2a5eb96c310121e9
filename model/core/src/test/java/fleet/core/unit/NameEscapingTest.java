package fleet.core.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The expectations are what {@code systemd-escape} of systemd 252 prints. */
final class NameEscapingTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          foo,        foo
          a/b,        a-b
          .hidden,    \\x2ehidden
          a-b,        a\\x2db
          x y,        x\\x20y
          ä€,         \\xc3\\xa4\\xe2\\x82\\xac
          foo@bar,    foo\\x40bar
          back\\slash, back\\x5cslash
          a:b_c.d,    a:b_c.d
          %n,         \\x25n
          /,          -
          ..,         \\x2e.
          a..b,       a..b
          ~x,         \\x7ex
          -,          \\x2d
          //x,        --x
          ' x',       \\x20x
          """)
  void textIsEscapedAndUnescaped(String text, String escaped) {
    assertThat(NameEscaping.escape(text)).isEqualTo(escaped);
    assertThat(NameEscaping.unescape(escaped)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          a b,     a b
          a@b,     a@b
          .hidden, .hidden
          \\x61b,  ab
          \\x2D,   -
          \\x2f,   /
          """)
  void charactersThatNeededNoEscapeMayStillHaveOneAndOthersMayLackIt(String escaped, String text) {
    assertThat(NameEscaping.unescape(escaped)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\xzz", "a\\x4", "a\\", "a\\X2d", "\\xff"})
  void textThatWasNeverEscapedIsRefused(String escaped) {
    assertThatThrownBy(() -> NameEscaping.unescape(escaped))
        .isInstanceOf(InvalidUnitNameException.class)
        .hasMessageStartingWith("cannot unescape \"" + escaped + "\": ");
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          /,                        -
          /.,                       -
          /var/lib/my-data,         var-lib-my\\x2ddata
          //var//lib/,              var-lib
          /a/./b,                   a-b
          /.hidden,                 \\x2ehidden
          /a/.b,                    a-.b
          /mnt/with space,          mnt-with\\x20space
          /dev/disk/by-uuid/4-f,    dev-disk-by\\x2duuid-4\\x2df
          """)
  void pathsAreEscaped(String path, String escaped) {
    assertThat(NameEscaping.escapePath(path)).isEqualTo(escaped);
  }

  @ParameterizedTest
  @CsvSource({
    "rel/x, path \"rel/x\" is not absolute",
    "/a/../b, path \"/a/../b\" must not contain \"..\""
  })
  void pathsThatCannotBeTakenBackAreRefused(String path, String message) {
    assertThatThrownBy(() -> NameEscaping.escapePath(path))
        .isInstanceOf(InvalidUnitNameException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          -,                    /
          var-lib-my\\x2ddata,  /var/lib/my-data
          \\x2ehidden,          /.hidden
          .hidden,              /.hidden
          \\x61,                /a
          """)
  void pathsAreUnescaped(String escaped, String path) {
    assertThat(NameEscaping.unescapePath(escaped)).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a--b", "-a", "a-", "a-..-b", "a-.-b", "..", "\\x2e\\x2e", "a-\\x2f"})
  void whatIsNoPathInItsShortestFormIsRefused(String escaped) {
    assertThatThrownBy(() -> NameEscaping.unescapePath(escaped))
        .isInstanceOf(InvalidUnitNameException.class)
        .hasMessageContaining("empty parts");
  }

  @Test
  void anEscapedTextMakesAnInstance() {
    assertThat(UnitName.of("mirror@.service").instantiate(NameEscaping.escape("http://a b")))
        .isEqualTo(UnitName.of("mirror@http:--a\\x20b.service"));
  }

  @ParameterizedTest
  @MethodSource("fleet.core.unit.Generator#seeds")
  void escapingAndUnescapingAreInverse(long seed) {
    Generator generator = new Generator(seed);
    for (int i = 0; i < 200; i++) {
      String text = generator.anyText();
      assertThat(NameEscaping.unescape(NameEscaping.escape(text))).isEqualTo(text);
    }
  }

  @ParameterizedTest
  @MethodSource("fleet.core.unit.Generator#seeds")
  void everyEscapedTextFitsIntoAName(long seed) {
    Generator generator = new Generator(seed);
    for (int i = 0; i < 200; i++) {
      String escaped = NameEscaping.escape("x" + generator.anyText());
      assertThat(UnitName.of("a@" + escaped + ".service").instance()).isEqualTo(escaped);
    }
  }
}
