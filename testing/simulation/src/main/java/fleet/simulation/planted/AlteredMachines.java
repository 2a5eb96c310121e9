package fleet.simulation.planted;

import fleet.coordination.EngineCoordination;
import fleet.coordination.Leadership;
import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An engine's way to machines that is another one, but for what a bug makes different. */
abstract class AlteredMachines implements EngineCoordination {

  private final EngineCoordination real;

  AlteredMachines(EngineCoordination real) {
    this.real = real;
  }

  /** An entry goes to a machine. */
  void sent(String machine, ScheduleEntry entry) {}

  /** The report that the engine hears instead. */
  AgentReport heard(String machine, AgentReport report) {
    return report;
  }

  /** Whether a machine is told of changes. */
  boolean tells(String machine) {
    return true;
  }

  @Override
  public void lead(Leadership.Term term, Listener listener) {
    real.lead(term, new Heard(listener));
  }

  @Override
  public void retire() {
    real.retire();
  }

  @Override
  public void snapshot(Machine machine, Collection<ScheduleEntry> entries, Set<UnitName> alone) {
    entries.forEach(entry -> sent(machine.id(), entry));
    real.snapshot(machine, entries, alone);
  }

  @Override
  public void delta(
      String machine,
      Collection<ScheduleEntry> changed,
      Set<UnitName> removed,
      Set<UnitName> alone) {
    changed.forEach(entry -> sent(machine, entry));
    if (tells(machine)) {
      real.delta(machine, changed, removed, alone);
    }
  }

  @Override
  public void occupied(Machine refused, Machine there) {
    real.occupied(refused, there);
  }

  @Override
  public void vacant(String machine) {
    real.vacant(machine);
  }

  @Override
  public void offer(String machine, Offer offer) {
    real.offer(machine, offer);
  }

  @Override
  public void withdraw(String machine, UnitName unit) {
    real.withdraw(machine, unit);
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    return real.ask(machine, question);
  }

  @Override
  public void close() {
    real.close();
  }

  private final class Heard implements Listener {
    private final Listener listener;

    Heard(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void present(Machine machine) {
      listener.present(machine);
    }

    @Override
    public void reported(String machine, List<AgentReport> reports) {
      listener.reported(machine, reports.stream().map(report -> heard(machine, report)).toList());
    }

    @Override
    public void bid(String machine, Bid bid) {
      listener.bid(machine, bid);
    }

    @Override
    public void absent(String machine, String why) {
      listener.absent(machine, why);
    }

    @Override
    public void doubtful(Set<String> machines, Duration within) {
      listener.doubtful(machines, within);
    }

    @Override
    public void takenIn(Runnable then) {
      listener.takenIn(then);
    }

    @Override
    public void left(String machine, boolean emptied, String why) {
      listener.left(machine, emptied, why);
    }
  }
}
