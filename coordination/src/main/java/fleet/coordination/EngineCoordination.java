package fleet.coordination;

import fleet.core.machine.Machine;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The leading engine's side of the coordination. */
public interface EngineCoordination extends AutoCloseable {

  /** From now on the listener hears of machines and their reports. */
  void lead(Listener listener);

  /** Hands a machine its whole schedule. */
  void snapshot(Machine machine, Collection<ScheduleEntry> entries);

  /** Hands a machine what changed of its schedule, after the change is in the registry. */
  void delta(String machine, Collection<ScheduleEntry> changed, Set<UnitName> removed);

  /** Puts a question to a machine; empty where it is not there. */
  Optional<Answer> ask(String machine, Question question);

  /** Ends questions that are under way. */
  @Override
  void close();

  /** Hears of machines. Must not block. */
  interface Listener {

    /** A machine came, or changed its description. It waits for its schedule. */
    void present(Machine machine);

    void reported(String machine, List<AgentReport> reports);

    /** A machine went: cleanly, or it has been silent for too long. */
    void absent(String machine, String why);
  }
}
