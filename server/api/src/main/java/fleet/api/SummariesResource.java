package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.UnitView;
import fleet.entities.UnitSummariesEntity;
import fleet.entities.UnitSummaryEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * All units with their states, in short, for a page that shows all of them: one answer instead of
 * pages of two lists, so that nothing falls between two pages.
 */
final class SummariesResource {

  /** Units of a line. Longer lines would outlive the young generation of the heap. */
  private static final int LINE = 100;

  void list(Exchange exchange) throws IOException {
    Cluster asked = exchange.reading();
    List<UnitView> units = asked.units();
    StatesByUnit states = new StatesByUnit(asked.reportedStates());
    exchange.streamLines(lines -> {
      for (int from = 0; from < units.size(); from += LINE) {
        lines.write(line(units.subList(from, Math.min(from + LINE, units.size())), states));
      }
    });
  }

  private static UnitSummariesEntity line(List<UnitView> units, StatesByUnit states) {
    List<UnitSummaryEntity> summaries = new ArrayList<>(units.size());
    states.forEach(units, (unit, known) -> summaries.add(EntityMapper.summary(unit, known)));
    return new UnitSummariesEntity(summaries);
  }
}
