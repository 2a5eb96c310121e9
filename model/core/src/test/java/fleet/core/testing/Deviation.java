package fleet.core.testing;

import java.util.regex.Pattern;

/** The differences on purpose between fleet's reading of unit files and systemd's. */
enum Deviation {

  /**
   * fleet refuses a line without {@code =}, as fleet 1.0 did. systemd passes over it with a warning
   * in a log of that machine, where its author does not look.
   */
  NO_EQUALS("has no \"=\"", ""),

  /**
   * fleet refuses {@code [a]b]}. To systemd it is a section that it does not know, whose options
   * have no effect.
   */
  BRACKET_IN_SECTION("found garbage after section name", ""),

  /** fleet refuses NUL characters: such a file is no text. To systemd they end a line. */
  NUL("NUL character", ""),

  /**
   * fleet drops a byte order mark at the start of every line. systemd drops the first of a file,
   * and takes a comment behind it for a line to be read: one that ends in a backslash takes the
   * next line with it. Files put together from several have several marks, and nobody means them.
   */
  BYTE_ORDER_MARK("", "(?m)^\uFEFF[ \t]*[#;\uFEFF]|(?ms)^\uFEFF.*^\uFEFF");

  private final String fault;
  private final Pattern text;

  /** By a part of fleet's fault, or by an expression of which something is in the text. */
  Deviation(String fault, String text) {
    this.fault = fault;
    this.text = Pattern.compile(text);
  }

  /** Whether one of them is in a text, for which fleet has a fault or an empty one. */
  static boolean isIn(String text, String fault) {
    for (Deviation deviation : values()) {
      if (deviation.applies(text, fault)) {
        return true;
      }
    }
    return false;
  }

  private boolean applies(String inText, String withFault) {
    return fault.isEmpty() ? text.matcher(inText).find() : withFault.contains(fault);
  }
}
