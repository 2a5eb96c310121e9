package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.agent.place.Placer;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what an earlier agent placed in this boot, and removes what was placed before it. */
record MarkRecovery(Marks marks, Placer placer, Path directory) {

  private static final Logger log = LoggerFactory.getLogger(MarkRecovery.class);

  /**
   * The marks of all units that fleet has here, also of units whose marks somebody removed.
   *
   * @throws IOException if the marks cannot be read
   */
  List<Mark> recover() throws IOException {
    Marks.Found found = marks.readAll();
    removeStale(found.stale());
    List<Mark> here = new ArrayList<>(found.current());
    here.addAll(unmarked(here));
    return here;
  }

  private List<Mark> unmarked(List<Mark> marked) throws IOException {
    List<Mark> lost = placer.unmarked(units(marked));
    if (!lost.isEmpty()) {
      log.warn(
          "{} lacks the marks of {}, which fleet placed: somebody may have removed them. Using the"
              + " schedule instead",
          directory,
          units(lost));
    }
    return lost;
  }

  private void removeStale(List<Mark> stale) {
    if (!stale.isEmpty()) {
      List<UnitName> names = units(stale);
      log.info("removing what was placed before this boot: {}", names);
      placer.remove(names).forEach((unit, why) -> log.warn("{}: {}", unit, why));
    }
  }

  private static List<UnitName> units(List<Mark> marks) {
    return marks.stream().map(Mark::unit).toList();
  }
}
