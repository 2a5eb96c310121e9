package fleet.simulation;

import fleet.agent.isolation.IsolationGuard;
import fleet.coordination.AgentCoordination;
import fleet.coordination.EngineCoordination;
import fleet.coordination.Leadership;
import fleet.core.machine.Machine;
import fleet.engine.EngineSettings;
import fleet.registry.SharedRegistry;
import fleet.simulation.run.SimulatedProcess;
import fleet.systemd.Systemd;

/**
 * The parts that one fleetd is wired with. A bug is planted by giving another part in place of one
 * that ships; nothing that ships knows of it.
 */
public interface Wiring {

  /** Makes the wiring of one fleetd. */
  @FunctionalInterface
  interface Source {
    Wiring of(SimulatedProcess process);
  }

  /** All as it ships. */
  Wiring AS_SHIPPED = new Wiring() {};

  default SharedRegistry store(SharedRegistry store) {
    return store;
  }

  default Leadership leadership(Leadership leadership) {
    return leadership;
  }

  /** How the engine hears of machines, through the store or over RPC. */
  default EngineCoordination engine(EngineCoordination coordination) {
    return coordination;
  }

  /** How the agent hears of its schedule, in whichever way. */
  default AgentCoordination agent(AgentCoordination coordination) {
    return coordination;
  }

  default Systemd systemd(Systemd systemd) {
    return systemd;
  }

  default IsolationGuard guard(IsolationGuard guard) {
    return guard;
  }

  default Machine machine(Machine machine) {
    return machine;
  }

  default EngineSettings settings(EngineSettings settings) {
    return settings;
  }
}
