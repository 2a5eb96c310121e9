package fleet.core.unit;

/** A unit file that does not parse; the message says what is wrong and in which line. */
public final class UnitFileSyntaxException extends Exception {

  private final int line;

  /**
   * @param line the line where the fault was found, from 1
   */
  public UnitFileSyntaxException(int line, String problem) {
    super("line " + line + ": " + problem);
    this.line = line;
  }

  /** A fault of the file as a whole. */
  public UnitFileSyntaxException(String problem) {
    super(problem);
    this.line = 0;
  }

  /** The line where the fault was found, from 1; 0 if it lies in no single line. */
  public int line() {
    return line;
  }
}
