package fleet.coordination;

import fleet.core.machine.Machine;
import fleet.core.offer.Offer;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An engine's coordination with machines over several transports; each machine uses one at a time.
 * Safe for use by many threads.
 *
 * @param ways asked in this order
 */
public record CompositeCoordination(List<EngineCoordination> ways) implements EngineCoordination {

  public CompositeCoordination {
    ways = List.copyOf(ways);
  }

  @Override
  public void lead(Leadership.Term term, Listener listener) {
    ways.forEach(way -> way.lead(term, listener));
  }

  @Override
  public void retire() {
    ways.forEach(EngineCoordination::retire);
  }

  @Override
  public void snapshot(
      Machine machine, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone) {
    ways.forEach(way -> way.snapshot(machine, entries, leftAlone));
  }

  @Override
  public void delta(
      String machine,
      Collection<ScheduleEntry> changed,
      Set<UnitName> removed,
      Set<UnitName> leftAlone) {
    ways.forEach(way -> way.delta(machine, changed, removed, leftAlone));
  }

  @Override
  public void occupied(Machine refused, Machine there) {
    ways.forEach(way -> way.occupied(refused, there));
  }

  @Override
  public void vacant(String machine) {
    ways.forEach(way -> way.vacant(machine));
  }

  @Override
  public void offer(String machine, Offer offer) {
    ways.forEach(way -> way.offer(machine, offer));
  }

  @Override
  public void withdraw(String machine, UnitName unit) {
    ways.forEach(way -> way.withdraw(machine, unit));
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    for (EngineCoordination way : ways) {
      Optional<Answer> answer = way.ask(machine, question);
      if (answer.isPresent()) {
        return answer;
      }
    }
    return Optional.empty();
  }

  @Override
  public Set<String> agents() {
    Set<String> agents = new HashSet<>();
    ways.forEach(way -> agents.addAll(way.agents()));
    return agents;
  }

  @Override
  public void close() {
    ways.forEach(EngineCoordination::close);
  }
}
