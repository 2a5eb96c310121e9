package fleet.core.question;

import fleet.core.unit.UnitName;

/** What one machine can be asked about a unit that it holds. */
public sealed interface Question {

  UnitName unit();

  /** {@code systemctl status}, with colours where the reader shows them. */
  record Status(UnitName unit, boolean colour) implements Question {}

  /**
   * The unit's journal.
   *
   * @param lines how many of the newest lines to begin with
   * @param follow whether to go on with what is written from now on
   * @param output as {@code journalctl --output} takes it
   */
  record Journal(UnitName unit, int lines, boolean follow, String output) implements Question {}
}
