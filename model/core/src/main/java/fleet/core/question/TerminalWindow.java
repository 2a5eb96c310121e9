package fleet.core.question;

/** The size of a terminal in characters. */
public record TerminalWindow(int rows, int columns) {

  /** The terminal of somebody whose window is not known. */
  public static final TerminalWindow USUAL = new TerminalWindow(24, 80);

  private static final int MOST = Short.MAX_VALUE;

  /**
   * @throws IllegalArgumentException for people, if no terminal has it
   */
  public TerminalWindow {
    if (rows < 1 || rows > MOST || columns < 1 || columns > MOST) {
      throw new IllegalArgumentException(
          "invalid window %d x %d: expected rows and columns from 1 to %d"
              .formatted(rows, columns, MOST));
    }
  }
}
