package fleet.simulation;

import fleet.agent.isolation.IsolationGuard;
import fleet.core.unit.UnitName;
import fleet.simulation.run.SimulatedProcess;
import fleet.simulation.run.Simulation;
import fleet.systemd.Systemd;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The guard that stops the units of a machine that the cluster has given up, from boot to
 * power-off. It runs beside fleetd, whether fleetd lives or not.
 */
final class SimulatedGuard {

  private static final Duration CALL = Duration.ofMillis(5);

  private final Simulation simulation;
  private final Supplier<Set<UnitName>> running;
  private final Consumer<Set<UnitName>> stop;
  private final Consumer<Set<UnitName>> kill;
  private final Set<UnitName> stopped = new TreeSet<>();

  /** The number of the current deadline; one that a later one has put off does nothing any more. */
  private int deadline;

  /**
   * @param running the units that it stops, if they run
   */
  SimulatedGuard(
      Simulation simulation,
      Supplier<Set<UnitName>> running,
      Consumer<Set<UnitName>> stop,
      Consumer<Set<UnitName>> kill) {
    this.simulation = simulation;
    this.running = running;
    this.stop = stop;
    this.kill = kill;
  }

  /** The power goes. */
  void powerOff() {
    deadline++;
  }

  private void arm(Duration stopAfter, Duration killAfter) {
    int current = ++deadline;
    simulation.after(
        stopAfter,
        () -> {
          if (deadline == current) {
            Set<UnitName> units = running.get();
            stopped.addAll(units);
            stop.accept(units);
          }
        });
    simulation.after(
        killAfter,
        () -> {
          if (deadline == current) {
            kill.accept(running.get());
          }
        });
  }

  /** One fleetd's way to it. */
  IsolationGuard seenBy(SimulatedProcess process, Systemd systemd) {
    return new IsolationGuard() {
      @Override
      public void arm(Duration stopAfter, Duration killAfter) {
        process.sleep(simulation.upTo(CALL));
        SimulatedGuard.this.arm(stopAfter, killAfter);
      }

      @Override
      public boolean hasStopped() {
        return !stopped.isEmpty();
      }

      @Override
      public Set<UnitName> takeStopped() {
        process.sleep(simulation.upTo(CALL));
        deadline++;
        Set<UnitName> taken = Collections.unmodifiableSet(new TreeSet<>(stopped));
        taken.forEach(systemd::resetFailed);
        return taken;
      }

      @Override
      public void forgetStopped() {
        stopped.clear();
      }

      @Override
      public void disarm() {
        process.sleep(simulation.upTo(CALL));
        deadline++;
      }
    };
  }
}
