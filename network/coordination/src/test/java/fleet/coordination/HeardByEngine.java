package fleet.coordination;

import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.state.AgentReport;
import fleet.core.testing.Await;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Keeps what an engine hears of machines. */
public final class HeardByEngine implements EngineCoordination.Listener {

  private final Map<String, Machine> machines = new HashMap<>();
  private final Map<String, Map<UnitName, AgentReport>> reports = new HashMap<>();
  private final Map<String, Map<UnitName, Bid>> bids = new HashMap<>();
  private final Set<String> gone = new HashSet<>();
  private final Set<String> doubted = new HashSet<>();

  @Override
  public synchronized void present(Machine machine) {
    machines.put(machine.id(), machine);
    notifyAll();
  }

  @Override
  public synchronized void reported(String machine, List<AgentReport> told) {
    Map<UnitName, AgentReport> last = reports.computeIfAbsent(machine, _ -> new HashMap<>());
    for (AgentReport report : told) {
      if (report instanceof AgentReport.Freed) {
        last.remove(report.unit());
      } else {
        last.put(report.unit(), report);
      }
    }
    notifyAll();
  }

  @Override
  public synchronized void bid(String machine, Bid bid) {
    bids.computeIfAbsent(machine, _ -> new HashMap<>()).put(bid.unit(), bid);
    notifyAll();
  }

  public void awaitBid(String machine, Bid bid) throws InterruptedException {
    await(() -> bid.equals(bids.getOrDefault(machine, Map.of()).get(bid.unit())));
  }

  @Override
  public synchronized void absent(String machine, String why) {
    machines.remove(machine);
    reports.remove(machine);
    gone.add(machine);
    notifyAll();
  }

  @Override
  public synchronized void doubtful(Set<String> ids, Duration within) {
    doubted.addAll(ids);
  }

  /** The machines that were said to be absent, be it for a moment. */
  public synchronized Set<String> gone() {
    return Set.copyOf(gone);
  }

  /** The machines that were said to be doubtful. */
  public synchronized Set<String> doubted() {
    return Set.copyOf(doubted);
  }

  public synchronized Optional<Machine> machine(String id) {
    return Optional.ofNullable(machines.get(id));
  }

  /** The last that a machine said of a unit; nothing if it took it back. */
  public synchronized Optional<AgentReport> report(String machine, UnitName unit) {
    return Optional.ofNullable(reports.getOrDefault(machine, Map.of()).get(unit));
  }

  /** Waits for a condition on what was heard. */
  public synchronized void await(BooleanSupplier condition) throws InterruptedException {
    Await.notified(this, condition, () -> "heard of " + machines + ", " + reports);
  }

  public void awaitMachine(Machine machine) throws InterruptedException {
    await(() -> machine(machine.id()).equals(Optional.of(machine)));
  }

  /** Waits until a machine was said to be absent, also if it has come back since. */
  public void awaitGone(String machine) throws InterruptedException {
    await(() -> gone.contains(machine));
  }

  public void awaitReport(String machine, AgentReport report) throws InterruptedException {
    await(() -> report(machine, report.unit()).equals(Optional.of(report)));
  }
}
