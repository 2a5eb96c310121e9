package fleet.coordination.store;

import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.core.machine.Machine;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import fleet.registry.SharedRegistry;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * The engine's side of the coordination through the store. Machines read their schedule there
 * themselves, and the engine watches what they write; left are questions.
 */
public final class StoreEngineCoordination implements EngineCoordination, AutoCloseable {

  private final SharedRegistry registry;
  private final EventLoop loop;

  public StoreEngineCoordination(SharedRegistry registry, EventLoop.Starter loops) {
    this.registry = registry;
    this.loop = loops.start("questions", () -> {});
  }

  /** The engine takes presence and reports from its own watch of the store. */
  @Override
  public void lead(Listener listener) {}

  @Override
  public void snapshot(Machine machine, Collection<ScheduleEntry> entries) {}

  @Override
  public void delta(String machine, Collection<ScheduleEntry> changed, Set<UnitName> removed) {}

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    throw new UnsupportedOperationException("not yet: " + registry);
  }

  @Override
  public void close() {
    loop.close();
  }
}
