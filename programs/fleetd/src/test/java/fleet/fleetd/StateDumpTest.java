package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.AgentStates;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StateDumpTest {

  private static UnitState state(String name, String active, String sub) {
    return new UnitState(
        UnitName.of(name),
        "113f16a7",
        new Incarnation("i1"),
        "abc",
        DesiredState.LAUNCHED,
        1,
        new SystemdState("loaded", active, sub, "", "", 0, Instant.EPOCH),
        "");
  }

  @Test
  void theUnitsOfThisMachineAreOneLineInTheShapeOfFleet1() {
    AgentStates states =
        new AgentStates(
            true,
            new TreeMap<>(
                Map.of(
                    UnitName.of("a.service"),
                    DesiredState.LAUNCHED,
                    UnitName.of("b\\x2d.service"),
                    DesiredState.LOADED)),
            List.of(state("a.service", "active", "running")),
            List.of(state("b\\x2d.service", "inactive", "dead")));

    assertThat(StateDump.line(states))
        .isEqualTo(
            """
            {"Agent":{"Cache":{"TargetStates":{"a.service":"launched","b\\\\x2d.service":"loaded"}}},\
            "UnitStatePublisher":{"Cache":{"a.service":{"LoadState":"loaded","ActiveState":"active",\
            "SubState":"running","MachineID":"113f16a7","UnitHash":"abc","UnitName":"a.service"}},\
            "ToPublish":{"b\\\\x2d.service":{"LoadState":"loaded","ActiveState":"inactive",\
            "SubState":"dead","MachineID":"113f16a7","UnitHash":"abc","UnitName":"b\\\\x2d.service"}}},\
            "UnitStateGenerator":{"Subscribed":["a.service","b\\\\x2d.service"]}}\
            """);
  }
}
