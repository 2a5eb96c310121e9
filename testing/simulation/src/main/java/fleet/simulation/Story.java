package fleet.simulation;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The deeds of people and the misfortunes of a world, each act at its moment. Made once, and played
 * in a world as often as wanted, whole or in parts.
 */
record Story(List<Act> acts) {

  Story {
    acts = List.copyOf(acts);
  }

  /**
   * One thing that is done, with its end if it has one.
   *
   * @param at how long after the beginning
   * @param text what is done, in one line
   */
  record Act(Duration at, String text, Play play) {}

  /** Does it. */
  @FunctionalInterface
  interface Play {
    void on(Stage stage);
  }

  /** Has it told to a world, from now on. */
  void begin(Stage stage) {
    acts.forEach(act -> stage.simulation().after(act.at(), () -> stage.play(act)));
  }

  /** To read, a line an act. */
  String text() {
    return acts.stream()
        .map(act -> "%8.3f %s".formatted(act.at().toNanos() / 1e9, act.text()))
        .collect(Collectors.joining("\n"));
  }
}
