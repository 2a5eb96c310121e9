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
 * @param transports asked in this order
 */
public record CompositeCoordination(List<EngineCoordination> transports)
    implements EngineCoordination {

  public CompositeCoordination {
    transports = List.copyOf(transports);
  }

  @Override
  public void lead(Leadership.Term term, Listener listener) {
    transports.forEach(transport -> transport.lead(term, listener));
  }

  @Override
  public void retire() {
    transports.forEach(EngineCoordination::retire);
  }

  @Override
  public void snapshot(
      Machine machine, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone) {
    transports.forEach(transport -> transport.snapshot(machine, entries, leftAlone));
  }

  @Override
  public void delta(
      String machine,
      Collection<ScheduleEntry> changed,
      Set<UnitName> removed,
      Set<UnitName> leftAlone) {
    transports.forEach(transport -> transport.delta(machine, changed, removed, leftAlone));
  }

  @Override
  public void occupied(Machine refused, Machine there) {
    transports.forEach(transport -> transport.occupied(refused, there));
  }

  @Override
  public void vacant(String machine) {
    transports.forEach(transport -> transport.vacant(machine));
  }

  @Override
  public void offer(String machine, Offer offer) {
    transports.forEach(transport -> transport.offer(machine, offer));
  }

  @Override
  public void withdraw(String machine, UnitName unit) {
    transports.forEach(transport -> transport.withdraw(machine, unit));
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    for (EngineCoordination transport : transports) {
      Optional<Answer> answer = transport.ask(machine, question);
      if (answer.isPresent()) {
        return answer;
      }
    }
    return Optional.empty();
  }

  @Override
  public Set<String> agents() {
    Set<String> agents = new HashSet<>();
    transports.forEach(transport -> agents.addAll(transport.agents()));
    return agents;
  }

  @Override
  public void close() {
    transports.forEach(EngineCoordination::close);
  }
}
