package fleet.engine;

import fleet.coordination.EngineCoordination;
import fleet.coordination.Leadership.Term;
import fleet.core.machine.Machine;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** A way on which no machine comes or is told anything. */
class Muted implements EngineCoordination {

  @Override
  public void lead(Term term, Listener listener) {}

  @Override
  public void retire() {}

  @Override
  public void snapshot(
      Machine machine, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone) {}

  @Override
  public void delta(
      String machine,
      Collection<ScheduleEntry> changed,
      Set<UnitName> removed,
      Set<UnitName> leftAlone) {}

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
