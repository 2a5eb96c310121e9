package fleet.core.requirements;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Entries of {@code MachineMetadata=} that hardly any machine has. They are compared as they are
 * written: not as patterns, not by size, and no word of them is read by itself.
 */
final class DoubtfulMetadata {

  private static final Pattern QUOTE = Pattern.compile(".*[\"'`\u2018-\u201f].*");
  private static final Pattern BESIDE_EQUALS = Pattern.compile(".*(\\s=|=\\s).*");
  private static final Pattern OPERATOR = Pattern.compile("[^=]*[!<>~:+]=.*|[^=]*=[!<>~].*");
  private static final Pattern PATTERN = Pattern.compile("[^=]*=.*[*?\\[\\]|{}^$].*");

  private final String entry;

  DoubtfulMetadata(String entry) {
    this.entry = entry;
  }

  Optional<String> text() {
    return doubt().map(doubt -> "MachineMetadata \"" + entry + "\" " + doubt);
  }

  private Optional<String> doubt() {
    if (QUOTE.matcher(entry).matches()) {
      return Optional.of(
          "has a quote in it, which counts as it is: quotes stand around a whole \"key=value\"");
    }
    if (BESIDE_EQUALS.matcher(entry).matches()) {
      return Optional.of("has a blank beside the \"=\", and no machine's has");
    }
    Optional<String> several =
        separator()
            .map(separator ->
                "is one value with a "
                    + separator
                    + " in it; for any of several, give each a line");
    if (several.isPresent()) {
      return several;
    }
    if (OPERATOR.matcher(entry).matches()) {
      return Optional.of("is compared by \"=\" alone; Affinity= compares by !=, < and > as well");
    }
    return PATTERN.matcher(entry).matches()
        ? Optional.of(
            "is no pattern and counts as it is; Affinity= takes patterns, and for any of several"
                + " values, give each a line")
        : Optional.empty();
  }

  /** A machine's configuration has commas between its metadata. */
  private Optional<String> separator() {
    if (entry.contains(",")) {
      return Optional.of("comma");
    }
    if (entry.contains(";")) {
      return Optional.of("semicolon");
    }
    return entry.contains(" ") || entry.contains("\t") ? Optional.of("blank") : Optional.empty();
  }
}
