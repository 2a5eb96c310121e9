package fleet.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a story that ends badly shorter, for people to read. */
final class StoryShrinker {

  private final Predicate<Story> stillFails;

  /** How often it may be tried, since each attempt is a life. */
  private int left;

  StoryShrinker(Predicate<Story> stillFails, int attempts) {
    this.stillFails = stillFails;
    this.left = attempts;
  }

  /** Leaves out as much as it can, in ever smaller pieces, while it still fails. */
  Story shrink(Story story) {
    List<Story.Act> acts = story.acts();
    int pieces = 2;
    while (acts.size() > 1 && pieces <= acts.size() && left > 0) {
      List<Story.Act> fewer = withoutSome(acts, pieces);
      if (fewer.size() < acts.size()) {
        acts = fewer;
        pieces = Math.max(2, pieces - 1);
      } else if (pieces == acts.size()) {
        break;
      } else {
        pieces = Math.min(acts.size(), 2 * pieces);
      }
    }
    return new Story(acts);
  }

  /** Leaves out each piece in its turn that is not needed. */
  private List<Story.Act> withoutSome(List<Story.Act> acts, int pieces) {
    List<Story.Act> kept = acts;
    int size = Math.max(1, (acts.size() + pieces - 1) / pieces);
    for (int end = acts.size(); end > 0 && left > 0; end -= size) {
      List<Story.Act> fewer = new ArrayList<>(kept.subList(0, Math.max(0, end - size)));
      fewer.addAll(kept.subList(end, kept.size()));
      left--;
      if (stillFails.test(new Story(fewer))) {
        kept = fewer;
      }
    }
    return kept;
  }
}
