package fleet.core.unit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Names, texts and unit files at random; the same seed gives the same ones. */
final class Generator {

  private static final String NAME_CHARACTERS = "abzAZ019:-_.\\@";
  private static final String VALUE_CHARACTERS = "ab =\"'`$%\\#;[]/-@.\täé€\uFEFF";
  private static final List<String> SECTIONS = List.of("Unit", "Service", "Install", "X-Fleet", "");
  private static final List<UnitType> TEMPLATE_TYPES =
      List.of(UnitType.values()).stream().filter(UnitType::mayBeTemplate).toList();

  private final SplittableRandom random;

  Generator(long seed) {
    random = new SplittableRandom(seed);
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 40);
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(below(choices.size()));
  }

  String text(String characters, int least, int most) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(least, most + 1);
    for (int i = 0; i < length; i++) {
      text.append(characters.charAt(below(characters.length())));
    }
    return text.toString();
  }

  UnitName template() {
    String prefix = text(NAME_CHARACTERS.replace("@", ""), 1, 12);
    return UnitName.of(
        (prefix.startsWith(".") ? "a" : "") + prefix + "@." + oneOf(TEMPLATE_TYPES).suffix());
  }

  String instance() {
    return text(NAME_CHARACTERS, 1, 12);
  }

  /** Any text without surrogates, as paths and instances may hold. */
  String anyText() {
    return text("ab/.-\\x2d:_ @~%äé€\t\n09", 0, 16);
  }

  /** Options as a parser yields them: trimmed, line ends only behind backslashes. */
  List<UnitOption> options() {
    List<UnitOption> options = new ArrayList<>();
    int count = below(12);
    for (int i = 0; i < count; i++) {
      options.add(new UnitOption(oneOf(SECTIONS), optionName(), value()));
    }
    return options;
  }

  /** Options that may be written to a file, or may not. */
  List<UnitOption> optionsOfAnyCharacters() {
    List<UnitOption> options = new ArrayList<>();
    int count = 1 + below(3);
    for (int i = 0; i < count; i++) {
      options.add(new UnitOption(mostlyA("Unit"), mostlyA("Name"), text("ab \n\r\\=[]#;", 0, 5)));
    }
    return options;
  }

  private String mostlyA(String word) {
    return below(8) == 0 ? text("aB0- \n\r\\=[]#;_\u00e4", 0, 4) : word;
  }

  private String optionName() {
    return oneOf(List.of("A", "ExecStart", "X-Key", "with blank", "b[1]", "ä"));
  }

  private String value() {
    StringBuilder value = new StringBuilder(line());
    while (below(4) == 0) {
      value.append(oddBackslashes(value)).append('\n');
      value.append(oneOf(List.of("", "", "# comment\n", "\t;x=1 \\\n")));
      value.append(below(2) == 0 ? "   " : "").append("x").append(line());
    }
    return Continuation.trim(value.toString());
  }

  /** Backslashes that make a line go on, whatever backslashes it ends in by itself. */
  private static String oddBackslashes(CharSequence line) {
    return Continuation.isOpenAtEndOf(line.toString()) ? "" : "\\";
  }

  private String line() {
    return text(VALUE_CHARACTERS, 0, 10);
  }

  /** A text that reads as the given file, laid out in another way. */
  String layOutAtRandom(UnitFile file) {
    StringBuilder text = new StringBuilder();
    text.append(oneOf(List.of("", "\n", "# [no] section\n", "stray words\n", "\uFEFF")));
    String section = null;
    for (UnitOption option : file.options()) {
      noise(text);
      if (!option.section().equals(section) || below(4) == 0) {
        section = option.section();
        text.append(blanks()).append('[').append(section).append(']').append(blanks()).append('\n');
        noise(text);
      }
      text.append(blanks()).append(option.name()).append(blanks()).append('=');
      text.append(blanks()).append(option.value());
      // Behind a backslash, blanks would be another value: it would no longer be the last thing.
      text.append(Continuation.isOpenAtEndOf(option.value()) ? "\n\n" : blanks() + "\n");
    }
    String laidOut = text.toString();
    return below(3) == 0 ? laidOut.replace("\n", "\r\n") : laidOut;
  }

  private void noise(StringBuilder text) {
    while (below(3) == 0) {
      text.append(oneOf(List.of("\n", "  \t\n", "# comment\n", " ; X=1\n", "#a \\\n")));
    }
  }

  private String blanks() {
    return oneOf(List.of("", "", " ", "\t "));
  }
}
