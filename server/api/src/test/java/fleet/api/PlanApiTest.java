package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Intent;
import fleet.cluster.Plan;
import fleet.cluster.UnitPut;
import fleet.core.machine.Machine;
import fleet.core.operation.Evenness;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans tell the consequences of an intent, and change nothing. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class PlanApiTest {

  private static final String JSON = "Content-Type: application/json";
  private static final UnitName WEB = UnitName.of("web.service");

  private final ApiUnderTest api;

  PlanApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @BeforeEach
  void addMachine() {
    api.cluster.add(new Machine("m1", "b1", "", Map.of(), "2.0.0"));
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private String plan(String body) throws IOException {
    return api.request("POST", "/fleet/v1/plan", body, JSON).body();
  }

  private String error(String body) throws IOException {
    return api.request("POST", "/fleet/v1/plan", body, JSON).error();
  }

  @Test
  void eachIntentReachesTheClusterAndTheChangesComeBack() throws IOException {
    api.cluster.plan =
        new Plan(
            List.of(
                new Plan.Change(WEB, Plan.Kind.MOVED, "m1", "m2", "least loaded"),
                new Plan.Change(WEB, Plan.Kind.STOPPED, "m1", "m1", "")));
    assertThat(plan("{\"destroy\":[\"web.service\"]}"))
        .isEqualTo(
            "{\"changes\":[{\"name\":\"web.service\",\"change\":\"moved\",\"from\":\"m1\","
                + "\"to\":\"m2\",\"reason\":\"least loaded\"},{\"name\":\"web.service\","
                + "\"change\":\"stopped\",\"from\":\"m1\",\"to\":\"m1\"}]}");
    api.cluster.plan = new Plan(List.of());
    assertThat(plan("{\"drain\":\"m1\",\"maxUnavailable\":3}")).isEqualTo("{}");
    assertThat(plan("{\"drain\":\"m1\"}")).isEqualTo("{}");
    assertThat(plan("{\"lose\":\"m1\"}")).isEqualTo("{}");
    assertThat(
            plan(
                "{\"units\":[{\"name\":\"web.service\",\"desiredState\":\"launched\",\"options\":"
                    + "[{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"/x\"}]}]}"))
        .isEqualTo("{}");
    assertThat(api.cluster.intents.subList(0, 4))
        .containsExactly(
            new Intent.Destroy(Set.of(WEB)),
            new Intent.Drain("m1", 3),
            new Intent.Drain("m1", 1),
            new Intent.Lose("m1"));
    UnitPut put = ((Intent.Put) api.cluster.intents.get(4)).puts().getFirst();
    assertThat(put.name()).isEqualTo(WEB);
    assertThat(put.desired()).isEqualTo(Optional.of(DesiredState.LAUNCHED));
  }

  @Test
  void aRebalanceSaysHowMuchMoreEvenMachinesWouldBe() throws IOException {
    api.cluster.plan =
        new Plan(
            List.of(new Plan.Change(WEB, Plan.Kind.MOVED, "m1", "m2", "leaves 6 units for 1")),
            Optional.of(new Plan.Evening(new Evenness(1, 6), new Evenness(2, 5), "more")),
            "");
    assertThat(plan("{\"rebalance\":{\"within\":2,\"moves\":1},\"maxUnavailable\":3}"))
        .endsWith(
            "\"reason\":\"leaves 6 units for 1\"}],\"evening\":{\"before\":{\"least\":1,"
                + "\"most\":6},\"after\":{\"least\":2,\"most\":5},\"rest\":\"more\"}}");
    assertThat(plan("{\"rebalance\":{}}")).contains("changes");
    assertThat(api.cluster.intents)
        .containsExactly(new Intent.Rebalance(2, 1, 3), new Intent.Rebalance(1, 2_000, 1));
    assertThat(error("{\"rebalance\":{\"within\":0}}"))
        .isEqualTo("400 within must be at least 1, not 0");
    assertThat(error("{\"rebalance\":{\"moves\":-1}}"))
        .isEqualTo("400 moves must be at least 1, not -1");
    api.cluster.plan = Plan.refused("the cluster's strategy is binpack");
    assertThat(error("{\"rebalance\":{}}")).isEqualTo("409 the cluster's strategy is binpack");
  }

  @Test
  void whatCannotBePlannedIsRefused() throws IOException {
    assertThat(error("{}"))
        .isEqualTo("400 expect one of units, destroy, drain, lose and rebalance");
    assertThat(error("{\"drain\":\"m1\",\"lose\":\"m1\"}"))
        .isEqualTo("400 expect one of units, destroy, drain, lose and rebalance");
    assertThat(error("{\"lose\":\"m2\"}")).isEqualTo("404 no machine that is there has the id m2");
    assertThat(error("{\"drain\":\"m1\",\"maxUnavailable\":0}"))
        .isEqualTo("400 maxUnavailable must be at least 1, not 0");
    assertThat(error("{\"units\":[{\"name\":\"web.service\",\"desiredState\":\"launched\"}]}"))
        .startsWith("409 ");
    assertThat(api.get("/fleet/v1/plan").status()).isEqualTo(405);
    assertThat(api.request("POST", "/fleet/v1/plan", "{}").status()).isEqualTo(415);
    assertThat(api.cluster.intents).isEmpty();
  }
}
