package fleet.core.question;

import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What one machine can be asked. */
public sealed interface Question {

  /** {@code systemctl status}, with colours where the reader shows them. */
  record Status(UnitName unit, boolean colour) implements Question {}

  /**
   * The journal of a unit that the machine holds, as text.
   *
   * @param lines how many of the newest lines to begin with
   * @param follow whether to go on with what is written from now on
   * @param output as {@code journalctl --output} takes it
   */
  record Journal(UnitName unit, int lines, boolean follow, String output) implements Question {}

  /**
   * The journal of some units as one, an entry a line, as {@code journalctl --output=json} writes
   * it. Where it is followed, an empty line stands between what was there and what is written from
   * then on.
   *
   * @param lines how many of the newest entries to begin with; {@link #ALL} for all
   * @param since entries before that are left out; of the machine's clock
   * @param after the cursor of the entry after which to begin; empty for none
   * @param whole whether entries come with all of their fields, or those that people read
   */
  record JournalEntries(
      List<UnitName> units,
      int lines,
      Optional<Instant> since,
      String after,
      boolean follow,
      boolean whole)
      implements Question {

    public static final int ALL = Integer.MAX_VALUE;

    public JournalEntries {
      units = List.copyOf(units);
    }
  }

  /**
   * The audit log that fleetd of the machine has written.
   *
   * @param entries which of its entries, of no unit
   * @param subject who asked; empty for anybody
   * @param target the unit or whatever else it was asked of; empty for anything
   */
  record Audit(JournalEntries entries, String subject, String target) implements Question {}

  /**
   * What the machine has and uses, a JSON object a line: one at once, and one more after each
   * interval. Consumption is counted from some beginning, so that two lines make a rate.
   *
   * @param units whether the machine's units come one by one as well
   * @param samples how many lines; {@link #ENDLESS} for as long as they are read
   */
  record Usage(boolean units, Duration interval, int samples) implements Question {

    public static final int ENDLESS = Integer.MAX_VALUE;
  }
}
