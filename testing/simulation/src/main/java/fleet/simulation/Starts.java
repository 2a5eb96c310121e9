package fleet.simulation;

import fleet.agent.mark.Mark;
import fleet.core.unit.Incarnation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which starts systemds were asked for. Each command is carried out once a boot: the same start is
 * asked for again only if something has stopped the unit for fleet in between.
 */
final class Starts {

  private final Judge judge;

  /** The last of each copy since its machine booted. */
  private final Map<Copy, Start> last = new HashMap<>();

  /** The same, but for those that were stopped since. */
  private final Map<Copy, Start> standing = new HashMap<>();

  /** One start command of one content. */
  record Start(Incarnation incarnation, long restartCounter) {
    static Start of(Mark mark) {
      return new Start(mark.incarnation(), mark.started().orElse(0));
    }
  }

  Starts(Judge judge) {
    this.judge = judge;
  }

  /**
   * A systemd is asked for a start.
   *
   * @param takesEffect whether the unit does not run already
   */
  void starting(Copy copy, Mark mark, boolean takesEffect) {
    Start start = Start.of(mark);
    if (!takesEffect && !start.equals(last.get(copy))) {
      throw judge.violated(
          Rule.STARTED_ONCE,
          "machine %s leaves %s as it runs for start %d, which asks for another"
              .formatted(copy.machine(), copy.unit(), start.restartCounter()));
    }
    if (start.equals(standing.put(copy, start)) && takesEffect) {
      String message =
          "machine %s starts %s a second time for start %d of content %s"
              .formatted(
                  copy.machine(), copy.unit(), start.restartCounter(), start.incarnation().id());
      throw judge.violated(Rule.STARTED_ONCE, message);
    }
    last.put(copy, start);
  }

  void stopped(Copy copy) {
    standing.remove(copy);
  }

  void poweredOff(String machine) {
    last.keySet().removeIf(copy -> copy.machine().equals(machine));
    standing.keySet().removeIf(copy -> copy.machine().equals(machine));
  }

  /** The last start that a machine's systemd was asked for in this boot. */
  Optional<Start> last(Copy copy) {
    return Optional.ofNullable(last.get(copy));
  }
}
