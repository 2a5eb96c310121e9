package fleet.core.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class UnitFileTest {

  @ParameterizedTest
  @MethodSource("fleet.core.unit.Corpus#names")
  void theCorpusRendersAsSerializedByHand(String name) throws Exception {
    assertThat(Corpus.file(name).render()).isEqualTo(Corpus.text(name + ".serialized"));
  }

  @ParameterizedTest
  @MethodSource("fleet.core.unit.Corpus#digests")
  void hashesAreThoseOfSha1sumAndSha256sum(Corpus.Digests expected) throws Exception {
    UnitFile file = Corpus.file(expected.name());

    assertThat(file.hash()).isEqualTo(expected.sha1());
    assertThat(file.sha256()).isEqualTo(expected.sha256());
    assertThat(file.hash()).as("asked again").isSameAs(file.hash());
  }

  @Test
  void valuesDescriptionAndSectionsAreFound() throws Exception {
    UnitFile file = Corpus.file("worker@.service");

    assertThat(file.values("Service", "Environment")).containsExactly("\"A=1\" \"B=2\"", "", "C=3");
    assertThat(file.values("Unit", "Environment")).isEmpty();
    assertThat(file.description()).contains("worker %i");
    assertThat(file.hasSection("X-Fleet")).isTrue();
    assertThat(file.hasSection("Install")).isFalse();
    assertThat(Corpus.file("inbox.path").description()).isEmpty();
  }

  @Test
  void aSectionWithoutOptionsIsNone() throws Exception {
    assertThat(UnitFile.parse("[Unit]\nA=1\n[Install]\n").hasSection("Install")).isFalse();
  }

  @Test
  void theOrderOfOptionsCounts() throws Exception {
    UnitFile one = UnitFile.parse("[A]\nb=1\nc=2\n");
    UnitFile other = UnitFile.parse("[A]\nc=2\nb=1\n");

    assertThat(one).isNotEqualTo(other);
    assertThat(one.hash()).isNotEqualTo(other.hash());
  }

  @Test
  void aBackslashAtTheEndOfAValueDoesNotDrawTheNextOptionIn() throws Exception {
    UnitFile file = UnitFile.parse("[A]\nb=1 \\\n\nc=2 \\\n\n[D]\ne=3\\\n");

    assertThat(file.render()).isEqualTo("[A]\nb=1 \\\n\nc=2 \\\n\n[D]\ne=3\\\n");
    assertThat(UnitFile.parse(file.render())).isEqualTo(file);
  }

  @Test
  void optionsThatCameOneByOneAreTrimmedAndGathered() throws Exception {
    UnitFile file =
        UnitFile.of(
            List.of(
                new UnitOption("Unit", " Description", "web "),
                new UnitOption("Service", "ExecStart", "/bin/true \\\n x"),
                new UnitOption("Unit", "After", "")));

    assertThat(file)
        .isEqualTo(
            UnitFile.parse(
                "[Unit]\nDescription=web\nAfter=\n[Service]\nExecStart=/bin/true \\\n x\n"));
  }

  static List<Arguments> valuesOverLines() {
    return List.of(
        Arguments.of("a", "a"),
        Arguments.of("a \\\n  b", "a    b"),
        Arguments.of("a \\\n  b \\\n", "a    b"),
        Arguments.of("a \\\n# c\n  b", "a    b"),
        Arguments.of("a \\\r\n# c \\\r\n  b", "a    b"),
        Arguments.of("a \\\n# c", "a"),
        Arguments.of("a \\\r\n", "a"),
        Arguments.of("a \\ ", "a \\"),
        Arguments.of("a \\\\", "a \\\\"),
        Arguments.of("\\\n", ""));
  }

  @ParameterizedTest
  @MethodSource("valuesOverLines")
  void aValueOverLinesIsReadAsOne(String value, String read) throws Exception {
    UnitFile file =
        UnitFile.of(
            List.of(
                new UnitOption("Unit", "Description", value), new UnitOption("Unit", "A", "1")));

    assertThat(file.values("Unit", "Description")).containsExactly(read);
    assertThat(file.values("Unit", "A")).containsExactly("1");
    assertThat(UnitFile.parse(file.render())).isEqualTo(file);
  }

  @Test
  void theLastDescriptionCountsAndAnEmptyOneTakesItBack() throws Exception {
    UnitFile two = UnitFile.parse("[Unit]\nDescription=a\nDescription=b\n");
    UnitFile none = UnitFile.parse("[Unit]\nDescription=a\nDescription= \\\n");

    assertThat(two.description()).contains("b");
    assertThat(none.description()).isEmpty();
  }

  static List<Arguments> lists() {
    return List.of(
        Arguments.of("a=b c\na=d", List.of("b", "c", "d")),
        Arguments.of("a=b\na=\na=c", List.of("c")),
        Arguments.of("a=b \\\n# x\n \tc", List.of("b", "c")),
        Arguments.of("a=\"b c\" d'e f'g \"\"", List.of("b c", "de fg", "")),
        Arguments.of("a=b\\x20c \\d \\\\ e", List.of("b\\x20c", "\\d", "\\\\", "e")),
        Arguments.of("a=b 'c d", List.of("b")));
  }

  @ParameterizedTest
  @MethodSource("lists")
  void aListIsCutIntoWords(String lines, List<String> words) throws Exception {
    assertThat(UnitFile.parse("[S]\n" + lines + "\n").words("S", "a")).isEqualTo(words);
  }

  @Test
  void onlyCommentsMayBeInAnotherEncoding() throws Exception {
    byte[] text = "# Grüße\n[Unit]\nDescription=a\n; ü".getBytes(StandardCharsets.ISO_8859_1);
    byte[] value = "[Unit]\nDescription=ü\n".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(UnitFile.parse(UnitFile.decode(text)).description()).contains("a");
    assertThatThrownBy(() -> UnitFile.parse(UnitFile.decode(value)))
        .hasMessage("line 2: not UTF-8: systemd would refuse the file");
  }

  static List<Arguments> optionsThatCannotBeWritten() {
    return List.of(
        Arguments.of("Unit", "Description", "web\nAfter=x"),
        Arguments.of("Unit", "Description", "web\n[Service]"),
        Arguments.of("Unit", "Description", "web\n" + "# x"),
        Arguments.of("Unit", "Description", "web\rAfter=x"),
        Arguments.of("Unit", "Description", "web\uD800"),
        Arguments.of("Un'it", "A", "b"),
        Arguments.of("Unit", "Description", "web \\\n\nx=1"),
        Arguments.of("Unit", "A=B", "c"),
        Arguments.of("Unit", "#A", "c"),
        Arguments.of("Unit", "[A]", "c"),
        Arguments.of("Unit", "A\nB", "c"),
        Arguments.of("Un]it", "A", "c"),
        Arguments.of("Un\nit", "A", "c"),
        Arguments.of("Unit", "A", "c\0"));
  }

  @ParameterizedTest
  @MethodSource("optionsThatCannotBeWritten")
  void anOptionThatWouldBeReadAsSomethingElseIsRefused(String section, String name, String value) {
    assertThatThrownBy(() -> UnitFile.of(List.of(new UnitOption(section, name, value))))
        .isInstanceOf(UnitFileSyntaxException.class);
  }

  @ParameterizedTest
  @MethodSource("fleet.core.unit.Generator#seeds")
  void whatIsRenderedReadsAsTheSameFile(long seed) throws Exception {
    Generator generator = new Generator(seed);
    for (int i = 0; i < 100; i++) {
      UnitFile file = new UnitFile(generator.options());

      assertThat(UnitFile.parse(file.render())).isEqualTo(file);
      assertThat(UnitFile.of(file.options())).isEqualTo(file);
    }
  }

  @ParameterizedTest
  @MethodSource("fleet.core.unit.Generator#seeds")
  void whatCameOneByOneIsAFileWhereItsTextReadsAsIt(long seed) {
    Generator generator = new Generator(seed);
    for (int i = 0; i < 500; i++) {
      List<UnitOption> options = generator.optionsOfAnyCharacters();
      UnitFile written = new UnitFile(options.stream().map(UnitOption::trimmed).toList());

      assertThat(written(options)).isEqualTo(reads(written) ? written.options() : List.of());
    }
  }

  private static List<UnitOption> written(List<UnitOption> options) {
    try {
      return UnitFile.of(options).options();
    } catch (UnitFileSyntaxException e) {
      return List.of();
    }
  }

  private static boolean reads(UnitFile file) {
    try {
      return UnitFile.parse(file.render()).equals(file);
    } catch (UnitFileSyntaxException e) {
      return false;
    }
  }

  @Test
  void aLongNameIsRefusedAsALongValueIs() {
    String longest = "a".repeat(UnitFile.MAX_BYTES);
    assertThatThrownBy(() -> UnitFile.of(List.of(new UnitOption("Unit", longest, "x"))))
        .isInstanceOf(UnitFileSyntaxException.class);
    assertThatThrownBy(() -> UnitFile.of(List.of(new UnitOption("Unit", "A", longest))))
        .isInstanceOf(UnitFileSyntaxException.class);
  }

  @ParameterizedTest
  @MethodSource("fleet.core.unit.Generator#seeds")
  void commentsBlanksAndSplitSectionsDoNotChangeTheHash(long seed) throws Exception {
    Generator generator = new Generator(seed);
    for (int i = 0; i < 100; i++) {
      UnitFile file = new UnitFile(generator.options());

      String text = generator.layOutAtRandom(file);

      assertThat(UnitFile.parse(text)).as(text).isEqualTo(file);
      assertThat(UnitFile.parse(text).hash()).isEqualTo(file.hash());
    }
  }

  @ParameterizedTest
  @MethodSource("fleet.core.unit.Generator#seeds")
  void anyTextIsEitherReadOrRefusedWithALine(long seed) {
    Generator generator = new Generator(seed);
    for (int i = 0; i < 300; i++) {
      String text = generator.text("[]=\\\n\r #;aB", 0, 24);
      try {
        UnitFile file = UnitFile.parse(text);
        assertThat(UnitFile.parse(file.render())).as(text).isEqualTo(file);
      } catch (UnitFileSyntaxException e) {
        assertThat(e.line()).as(text).isBetween(1, text.split("\r\n|\n\r|\r|\n", -1).length);
      }
    }
  }

  @Test
  void aTypedFileKeepsItsCommentsAndIsEqualToOneWithoutThem() throws Exception {
    String text = "# mine\n\n[Service]\n; why\nExecStart=/bin/a \\\n  # in between\n  b\n\n";
    UnitFile typed = UnitFile.typed(text);
    UnitFile bare = UnitFile.parse(text);
    assertThat(typed.text()).isEqualTo(text);
    assertThat(typed).isEqualTo(bare);
    assertThat(typed.hash()).isEqualTo(bare.hash());
    assertThat(typed.sha256()).isEqualTo(bare.sha256());
    assertThat(typed.typedSha256()).hasSize(64).isNotEqualTo(bare.sha256());
    assertThat(bare.text()).isEqualTo(bare.render());
    assertThat(bare.isTyped()).isFalse();
    assertThat(UnitFile.typed(bare.render()).typedSha256()).isEmpty();
  }

  @Test
  void commentsThatAreNotUtf8AreKeptWithAMark() throws Exception {
    byte[] text = "# caf\u00e9\n[Service]\nType=oneshot\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(UnitFile.typed(UnitFile.decode(text)).text())
        .isEqualTo("# caf\ufffd\n[Service]\nType=oneshot\n");
  }

  @Test
  void theCommentsOfALongTextAreNotKept() throws Exception {
    String unit = "[Service]\nType=oneshot\n";
    String longest = "#" + "x".repeat(UnitFile.MAX_TYPED_BYTES - unit.length() - 2) + "\n" + unit;
    assertThat(UnitFile.typed(longest).text()).isEqualTo(longest);
    assertThat(UnitFile.typed("#" + longest).text()).isEqualTo(unit);
  }

  /** The limit is on the text as it was typed. */
  @Test
  void commentsCount() {
    String text = "#" + "x".repeat(UnitFile.MAX_BYTES) + "\n[Service]\nType=oneshot\n";
    assertThatThrownBy(() -> UnitFile.typed(text)).isInstanceOf(UnitFileSyntaxException.class);
  }
}
