package fleet.fleetctl.output;

import java.util.Arrays;

/**
 * Prints one line for each of several units in the order in which they were given, however they
 * come. Safe for use by many threads.
 */
public final class OrderedLines {

  private static final String NONE = "";

  private final Output output;
  private final String[] lines;
  private final boolean[] settled;
  private int next;

  public OrderedLines(Output output, int count) {
    this.output = output;
    this.lines = new String[count];
    this.settled = new boolean[count];
    Arrays.fill(lines, NONE);
  }

  /** Sets the line of one unit; later ones for it are dropped. */
  public synchronized void line(int index, String line) {
    if (!settled[index]) {
      lines[index] = line;
      settled[index] = true;
      release();
    }
  }

  /** There will be no line for this unit, if there was none yet. */
  public synchronized void skip(int index) {
    line(index, NONE);
  }

  /** Prints what was held back; for the end of a wait that was cut short. */
  public synchronized void releaseAll() {
    for (; next < lines.length; next++) {
      print(lines[next]);
    }
    output.flush();
  }

  private void release() {
    boolean printed = false;
    for (; next < lines.length && settled[next]; next++) {
      print(lines[next]);
      printed = true;
    }
    if (printed) {
      output.flush();
    }
  }

  private void print(String line) {
    if (!line.isEmpty()) {
      output.line(line);
    }
  }
}
