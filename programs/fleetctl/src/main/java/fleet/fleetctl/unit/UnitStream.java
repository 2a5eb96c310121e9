package fleet.fleetctl.unit;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Several unit files in one text: each begins with a line {@code # unit: NAME}. A line of a unit's
 * text that looks like one is written with one more {@code #}, which is taken away again when it is
 * read: nobody who writes one unit puts another into the stream.
 */
final class UnitStream {

  /** The name of the stream in messages. */
  static final String PLACE = "<stdin>";

  /** A byte order mark is at the start of each file that an editor of Windows wrote. */
  private static final Pattern MARK = Pattern.compile("\uFEFF?(#+)[ \t]*unit:(.*)");

  private final List<UnitDocument> documents = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final StringBuilder text = new StringBuilder();
  private Optional<String> name = Optional.empty();
  private int linesBefore;
  private int line;

  private UnitStream() {}

  /**
   * @return its units, in order
   * @throws UnitProblemException if a text has no name, or two have one
   */
  static List<UnitDocument> read(String stream) throws UnitProblemException {
    var reader = new UnitStream();
    for (String line : linesOf(stream)) {
      reader.take(line);
    }
    reader.end();
    return reader.documents;
  }

  /** Whether a text has a line that begins a unit. */
  static boolean isSeveral(String text) {
    return text.lines().anyMatch(line -> mark(line).filter(mark -> isBeginning(mark)).isPresent());
  }

  /**
   * A unit as it stands in a stream.
   *
   * @param text of the unit; lines in it that look like the beginning of one are marked
   */
  static String write(String name, String text) {
    StringBuilder written = new StringBuilder("# unit: ").append(name).append('\n');
    for (String line : linesOf(text)) {
      written.append(mark(line).isPresent() ? line.replaceFirst("#", "##") : line);
    }
    return written.charAt(written.length() - 1) == '\n'
        ? written.toString()
        : written.append('\n').toString();
  }

  /** With their ends. */
  private static String[] linesOf(String text) {
    return text.split("(?<=\n)");
  }

  private static Optional<Matcher> mark(String line) {
    return Optional.of(MARK.matcher(line.stripTrailing())).filter(Matcher::matches);
  }

  private static boolean isBeginning(Matcher mark) {
    return mark.group(1).length() == 1;
  }

  private void take(String next) throws UnitProblemException {
    line++;
    Optional<Matcher> mark = mark(next);
    if (mark.filter(UnitStream::isBeginning).isPresent()) {
      end();
      begin(mark.get().group(2).strip());
    } else if (name.isPresent()) {
      text.append(mark.isPresent() ? next.replaceFirst("#", "") : next);
    } else if (!isComment(next)) {
      throw problem(line, "the text before the first line \"# unit: NAME\" has no name");
    }
  }

  private void begin(String begun) throws UnitProblemException {
    try {
      name = Optional.of(UnitName.of(begun).value());
    } catch (InvalidUnitNameException e) {
      throw problem(line, "\"" + begun + "\": " + e.getMessage());
    }
    Integer before = lines.putIfAbsent(begun, line);
    if (before != null) {
      throw problem(line, begun + " is there already, from line " + before);
    }
    linesBefore = line;
  }

  private void end() {
    name.ifPresent(known -> documents.add(new UnitDocument(known, linesBefore, text.toString())));
    text.setLength(0);
  }

  private static boolean isComment(String line) {
    String shown = line.strip();
    return shown.isEmpty() || shown.startsWith("#") || shown.startsWith(";");
  }

  private static UnitProblemException problem(int line, String problem) {
    return new UnitProblemException(PLACE + ":" + line + ": " + problem);
  }
}
