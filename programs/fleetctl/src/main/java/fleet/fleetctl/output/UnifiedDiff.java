package fleet.fleetctl.output;

import fleet.core.text.SingleLine;
import fleet.fleetctl.output.LineEdits.Edit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The difference of two texts, as {@code diff -u} writes it and {@code patch} reads it. Lines are
 * as they are in the texts; {@link #shown} makes them fit for people. Pure.
 */
public final class UnifiedDiff {

  private static final int CONTEXT = 3;

  private UnifiedDiff() {}

  /**
   * Compares.
   *
   * @param from the name of the first text, such as {@code web.service (in the cluster)}
   * @param to the name of the second
   * @return without line ends; empty if the texts are equal
   */
  public static List<String> of(String from, String before, String to, String after) {
    List<Edit> edits = LineEdits.between(lines(before), lines(after));
    List<String> diff = new ArrayList<>();
    int fromLine = 1;
    int toLine = 1;
    for (int start = 0; start < edits.size(); ) {
      int begin = Math.max(start, nextChange(edits, start) - CONTEXT);
      // Lines that stay are counted in both texts.
      fromLine += begin - start;
      toLine += begin - start;
      int end = end(edits, begin);
      List<Edit> hunk = edits.subList(begin, end);
      if (!hunk.isEmpty()) {
        diff.add(header(hunk, fromLine, toLine));
        hunk.forEach(edit -> addLine(diff, edit));
      }
      fromLine += count(hunk, '-');
      toLine += count(hunk, '+');
      start = end;
    }
    if (!diff.isEmpty()) {
      diff.addFirst("+++ " + to);
      diff.addFirst("--- " + from);
    }
    return diff;
  }

  /**
   * A line of a diff for somebody who decides by it, on a terminal or not: what would be hidden or
   * change what is seen is written as an escape. Tabs stay.
   */
  public static String shown(String line) {
    return Arrays.stream(line.split("\t", -1))
        .map(SingleLine::of)
        .collect(Collectors.joining("\t"));
  }

  /** With the line end, so that a missing one at the end of a text is a difference. */
  private static List<String> lines(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split("(?<=\n)"));
  }

  private static int nextChange(List<Edit> edits, int from) {
    int next = from;
    while (next < edits.size() && edits.get(next).mark() == ' ') {
      next++;
    }
    return next < edits.size() ? next : edits.size() + CONTEXT;
  }

  /** The end of a hunk that begins there: changes whose contexts touch are one. */
  private static int end(List<Edit> edits, int begin) {
    int end = begin;
    int change = nextChange(edits, begin);
    while (change < edits.size() && (end == begin || change - end <= 2 * CONTEXT)) {
      end = change;
      while (end < edits.size() && edits.get(end).mark() != ' ') {
        end++;
      }
      change = nextChange(edits, end);
    }
    return Math.min(edits.size(), end + CONTEXT);
  }

  private static String header(List<Edit> hunk, int fromLine, int toLine) {
    return "@@ -%s +%s @@"
        .formatted(range(fromLine, count(hunk, '-')), range(toLine, count(hunk, '+')));
  }

  /** How many lines a hunk has in one of the texts: those of its mark, and those that stay. */
  private static int count(List<Edit> hunk, char mark) {
    return (int) hunk.stream().filter(edit -> edit.mark() == mark || edit.mark() == ' ').count();
  }

  private static String range(int line, int count) {
    // Before the first line of a text that is empty there is line 0.
    return count == 1 ? "" + line : (count == 0 ? line - 1 : line) + "," + count;
  }

  private static void addLine(List<String> diff, Edit edit) {
    String line = edit.line();
    if (line.endsWith("\n")) {
      diff.add(edit.mark() + line.substring(0, line.length() - 1));
    } else {
      diff.add(edit.mark() + line);
      diff.add("\\ No newline at end of file");
    }
  }
}
