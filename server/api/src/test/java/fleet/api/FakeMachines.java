package fleet.api;

import fleet.cluster.MachineView;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.machine.Role;
import java.util.Optional;

/** Machines of which nothing is promised. */
final class FakeMachines {

  private FakeMachines() {}

  static MachineView server(Machine machine) {
    return server(machine, false);
  }

  static MachineView server(Machine machine, boolean leads) {
    return new MachineView(
        machine,
        Resources.UNKNOWN,
        Resources.UNKNOWN,
        false,
        Optional.empty(),
        false,
        0,
        Role.SERVER,
        leads,
        Optional.empty());
  }
}
