package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines;
import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Standing;
import fleet.cluster.MachineView;
import fleet.cluster.OperationProgress;
import fleet.cluster.UnitView;
import fleet.core.machine.Machine;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationId;
import fleet.core.state.DesiredState;
import fleet.core.store.StoreHealth;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class OverviewApiTest {

  private static final String PATH = "/fleet/v1/overview";

  private final ApiUnderTest api;

  OverviewApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private static MachineView machine(String id) {
    return FakeMachines.server(new Machine(id, "boot", "10.0.0.1", Map.of(), "2.0.0"));
  }

  @Test
  void aHealthyClusterHasNoProblems() throws IOException {
    api.cluster.add(FakeMachines.server(machine("m1").machine(), true));
    api.cluster.leadsSince = Optional.of(Instant.parse("2026-01-01T00:00:00Z"));
    api.cluster.add(machine("m2"));
    api.cluster.add(FakeUnits.view("idle.service", DesiredState.INACTIVE));
    assertThat(api.get(PATH).body())
        .isEqualTo(
            "{\"leader\":\"m1\",\"leaderSince\":\"2026-01-01T00:00:00Z\","
                + "\"machines\":{\"ready\":2},\"units\":{\"submitted\":1},"
                + "\"versions\":{\"2.0.0\":2},\"store\":{\"kind\":\"embedded\"}}");
    assertThat(api.request("POST", PATH, "").status()).isEqualTo(405);
  }

  @Test
  void unitsOfAMachineInMaintenanceAreNoProblem() throws IOException {
    api.cluster.absences =
        new AbsentMachines(
            List.of(
                new Absent("m9", 1, Standing.MAINTENANCE, Optional.empty()),
                new Absent("m8", 0, Standing.LOST, Optional.empty())),
            Optional.empty(),
            List.of());
    api.cluster.add(kept("calm.service", "m9"));
    api.cluster.add(kept("lost.service", "m8"));
    assertThat(api.get(PATH).body())
        .startsWith(
            "{\"machines\":{\"lost\":1,\"maintenance\":1},"
                + "\"units\":{\"maintenance\":1,\"waiting\":1}")
        .contains("lost.service")
        .doesNotContain("calm.service");
  }

  private static UnitView kept(String name, String machine) {
    UnitView view = FakeUnits.view(name, DesiredState.LAUNCHED);
    return new UnitView(
        view.unit(),
        Optional.empty(),
        Optional.empty(),
        false,
        "it is kept",
        false,
        "",
        Optional.of(machine),
        "");
  }

  @Test
  void problemsOperationsAndTheStoreAreTold() throws IOException {
    api.cluster.add(machine("m1"));
    api.cluster.add(FakeUnits.view("lost.service", DesiredState.LAUNCHED));
    api.cluster.absences =
        new AbsentMachines(
            List.of(new Absent("m9", 1, Standing.LOST, Optional.empty())),
            Optional.empty(),
            List.of());
    api.cluster.storeHealth =
        new StoreHealth(
            "etcd", "", List.of(new StoreHealth.Member("one", "http://one:2379", "", "silent")));
    Operation drain = new Operation(OperationId.drain("m1"), "user a", FakeUnits.TIME, "", 2);
    api.cluster.operations.add(new OperationProgress(drain, "", List.of()));
    api.cluster.operations.add(
        new OperationProgress(drain.withStage(Stage.DONE, ""), "", List.of()));
    assertThat(api.get(PATH).body())
        .isEqualTo(
            "{\"machines\":{\"lost\":1,\"ready\":1},\"units\":{\"unreported\":1},"
                + "\"versions\":{\"2.0.0\":1},\"problems\":[{\"kind\":\"leader\",\"text\":\"no"
                + " server leads: nothing is placed, moved or"
                + " started\"},{\"kind\":\"machine\",\"machineID\":\"m9\",\"text\":\"lost, with 1"
                + " unit to place elsewhere\"},{\"kind\":\"store\",\"name\":\"etcd"
                + " one\",\"text\":\"silent\"}],"
                + "\"problemCounts\":{\"leader\":1,\"machine\":1,\"store\":1},"
                + "\"operations\":[{\"id\":\"drain-m1\",\"kind\":\"drain\",\"subject\":\"m1\",\"by\":\"user"
                + " a\",\"started\":\"2026-01-01T00:00:00Z\",\"stage\":\"forward\","
                + "\"maxUnavailable\":2,\"left\":0}],"
                + "\"store\":{\"kind\":\"etcd\",\"members\":[{\"name\":\"one\","
                + "\"address\":\"http://one:2379\",\"problem\":\"silent\"}]}}");
  }
}
