package fleet.core.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class UnitFileParsingTest {

  /** A text and its options, one a string: section, name, value, each behind a bar. */
  static List<Arguments> texts() {
    return List.of(
        Arguments.of("nothing", "", List.of()),
        Arguments.of("only a section", "[Unit]\n", List.of()),
        Arguments.of("no final line end", "[A]\nb=c", List.of("A|b|c")),
        Arguments.of("blanks round names and values", "[A]\n\t b\t= c d \n", List.of("A|b|c d")),
        Arguments.of(
            "blanks that systemd does not trim",
            "[A]\n\u00A0b=\u2003c\u00A0\f\n",
            List.of("A|\u00A0b|\u2003c\u00A0\f")),
        Arguments.of("a line of no-break spaces", "[A]\n\u00A0\nb=c\n", List.of("A|b|c")),
        Arguments.of("an empty value", "[A]\nb=\n", List.of("A|b|")),
        Arguments.of("an equals sign in a value", "[A]\nb=c=d\n", List.of("A|b|c=d")),
        Arguments.of("repeats", "[A]\nb=1\nb=2\nb=1\n", List.of("A|b|1", "A|b|2", "A|b|1")),
        Arguments.of("case of names", "[A]\nb=1\nB=2\n", List.of("A|b|1", "A|B|2")),
        Arguments.of("both kinds of comment", "[A]\n# x\n  ; y=1\nb=1\n", List.of("A|b|1")),
        Arguments.of(
            "a comment that ends in a backslash",
            "[A]\n# x \\\ny=1\n; x\\\nb=1\n",
            List.of("A|y|1", "A|b|1")),
        Arguments.of(
            "a comment above a section that ends in a backslash",
            "# x \\\n[A]\nb=1\n",
            List.of("A|b|1")),
        Arguments.of("a comment that ends the file", "[A]\nb=1\n# x \\", List.of("A|b|1")),
        Arguments.of("comment signs in a value", "[A]\nb=1 # x ; y\n", List.of("A|b|1 # x ; y")),
        Arguments.of("text before a section", "x=1\nfoo\n[A]\nb=1\n", List.of("A|b|1")),
        Arguments.of("a section behind text", "foo [A]\nb=1\n[B]\nc=2\n", List.of("B|c|2")),
        Arguments.of("a comment before a section", "# [A]\n[B]\nb=1\n", List.of("B|b|1")),
        Arguments.of("a section set in", "  [A] \nb=1\n", List.of("A|b|1")),
        Arguments.of(
            "a split section",
            "[A]\nb=1\n[B]\nc=2\n[A]\nd=3\n",
            List.of("A|b|1", "A|d|3", "B|c|2")),
        Arguments.of(
            "a continued value",
            "[A]\nb=1 \\\n  2 \\\n 3\nc=4\n",
            List.of("A|b|1 \\\n  2 \\\n 3", "A|c|4")),
        Arguments.of(
            "a value that begins in the next line", "[A]\nb= \\\n  2\n", List.of("A|b|\\\n  2")),
        Arguments.of(
            "comments after a continuation",
            "[A]\nb=1 \\\n# 2\n  ; 3 \\\nc=3\n",
            List.of("A|b|1 \\\n# 2\n  ; 3 \\\nc=3")),
        Arguments.of(
            "comments between the lines of a value",
            "[A]\nb=1 \\\n# 2 \\\n  3 \\\n;4\n\nc=3\n",
            List.of("A|b|1 \\\n# 2 \\\n  3 \\", "A|c|3")),
        Arguments.of(
            "two backslashes at the end",
            "[A]\nb=1 \\\\\nc=2 \\\\\\\n  3\n",
            List.of("A|b|1 \\\\", "A|c|2 \\\\\\\n  3")),
        Arguments.of("a name over two lines", "[A]\nb\\\nc=1\n", List.of("A|b c|1")),
        Arguments.of(
            "a comment between the lines of a name",
            "[A]\nb \\\n# x=1 \\\n ;=\n c \\\n= 2 \\\n# 3=4\n  5\n",
            List.of("A|b   c|2 \\\n# 3=4\n  5")),
        Arguments.of("a section over two lines", "[A\\\nB]\nc=1\n", List.of("A B|c|1")),
        Arguments.of("a section that goes on in a blank line", "[A] \\\n\nc=1\n", List.of("A|c|1")),
        Arguments.of(
            "a section sign after a continuation",
            "[A]\nb=1 \\\n[B]\nc=3\n",
            List.of("A|b|1 \\\n[B]", "A|c|3")),
        Arguments.of(
            "a blank line after a continuation",
            "[A]\nb=1 \\\n \nc=2\n",
            List.of("A|b|1 \\", "A|c|2")),
        Arguments.of(
            "a blank behind a backslash", "[A]\nb=1 \\\t \nc=2\n", List.of("A|b|1 \\ ", "A|c|2")),
        Arguments.of("a backslash at the end", "[A]\nb=1 \\", List.of("A|b|1 \\")),
        Arguments.of("an empty value at the end of the file", "[A]\nb=", List.of("A|b|")),
        Arguments.of(
            "line ends of Windows",
            "[A]\r\nb=1 \\\r\n  2\r\n\r\nc=3\r\n",
            List.of("A|b|1 \\\n  2", "A|c|3")),
        Arguments.of(
            "carriage returns for line ends",
            "[A]\rb=1\r\rc=2 \\\r3\n\rd=4\r",
            List.of("A|b|1", "A|c|2 \\\n3", "A|d|4")),
        Arguments.of(
            "a comment behind a byte order mark", "\uFEFF# [A]\n[B]\nb=1\n", List.of("B|b|1")),
        Arguments.of(
            "files put together", "\uFEFF[A]\nb=1\n\uFEFF[B]\nc=2\n", List.of("A|b|1", "B|c|2")),
        Arguments.of(
            "a line of 100,000 characters",
            "[A]\nb=" + "x".repeat(100_000),
            List.of("A|b|" + "x".repeat(100_000))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("texts")
  void textsAreReadAsFleetReadsThem(String what, String text, List<String> options)
      throws Exception {
    assertThat(UnitFile.parse(text).options())
        .as(what)
        .extracting(option -> option.section() + "|" + option.name() + "|" + option.value())
        .containsExactlyElementsOf(options);
  }

  static List<Arguments> faults() {
    return List.of(
        Arguments.of("\n[Unit\nA=1]\n", 2, "unable to find end of section [Unit"),
        Arguments.of("[Unit", 1, "unable to find end of section [Unit"),
        Arguments.of("[Unit] # x\n", 1, "found garbage after section name [Unit]: \"# x\""),
        Arguments.of(
            "[Unit]\n\n# c\nDescription\nA=1\n",
            4,
            "unexpected newline encountered while parsing option name: \"Description\" has no \"=\""),
        Arguments.of(
            "[Unit]\nDescription",
            2,
            "unexpected end of file while parsing option name: \"Description\" has no \"=\""),
        Arguments.of(
            "[Un\"it]\n",
            1,
            "section name [Un\"it] has a quote, a backslash or a control character: systemd would refuse the file"),
        Arguments.of(
            "[A]\n# \uD800 \uFFFF\nb=\uD800\n", 3, "not UTF-8: systemd would refuse the file"),
        Arguments.of(
            "[A]\nb=\uD83D\uDE00 \\\n\uFFFE\n", 2, "not UTF-8: systemd would refuse the file"),
        Arguments.of(
            "[A]\n\n\nb\\\nc\nd=1",
            4,
            "unexpected newline encountered while parsing option name: \"b c\" has no \"=\""),
        Arguments.of("[Unit]\nA=1\0\n", 2, "NUL character: this is not a text file"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aFaultIsNamedWithItsLine(String text, int line, String problem) {
    assertThatThrownBy(() -> UnitFile.parse(text))
        .isInstanceOf(UnitFileSyntaxException.class)
        .hasMessage("line " + line + ": " + problem)
        .asInstanceOf(InstanceOfAssertFactories.type(UnitFileSyntaxException.class))
        .returns(line, UnitFileSyntaxException::line);
  }

  @Test
  void aTextBeyondTheLimitIsRefused() throws Exception {
    String head = "[Unit]\nDescription=";
    int room = UnitFile.MAX_BYTES - head.length() - 1;

    assertThat(UnitFile.parse(head + "x".repeat(room) + "\n").render()).hasSize(UnitFile.MAX_BYTES);
    assertThatThrownBy(() -> UnitFile.parse(head + "x".repeat(room) + "\n\n"))
        .isInstanceOf(UnitFileSyntaxException.class)
        .hasMessageStartingWith("the unit file has 524289 bytes; at most 524288 (512 KiB)");
  }

  @Test
  void theLimitIsInBytesAndHoldsForTheRenderedTextToo() {
    assertThatThrownBy(() -> UnitFile.parse("[Unit]\nA=" + "€".repeat(UnitFile.MAX_BYTES / 3)))
        .hasMessageStartingWith("the unit file has 524295 bytes");
    assertThatThrownBy(() -> UnitFile.parse("[U]\nA=" + "x".repeat(UnitFile.MAX_BYTES - 6)))
        .hasMessageStartingWith("the unit file has 524289 bytes");
  }
}
