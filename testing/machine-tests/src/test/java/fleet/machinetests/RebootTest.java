package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(MachinesExtension.class)
class RebootTest {

  @Test
  void whatWasAcknowledgedOutlivesAPowerFailureAndItsUnitsRunAgain(Machines machines) {
    var fleet = new FleetMachine(machines.boot()).install();
    fleet.sleeper("kept.service").succeed("start", "kept.service");
    String id = fleet.succeed("list-machines", "--full", "--no-legend", "--fields=machine");

    fleet.machine().powerOff();
    fleet.machine().boot();

    fleet.awaitState("kept.service", "active running");
    assertThat(fleet.pid("kept.service")).isNotEqualTo("0");
    assertThat(fleet.succeed("list-machines", "--full", "--no-legend", "--fields=machine"))
        .isEqualTo(id);
  }
}
