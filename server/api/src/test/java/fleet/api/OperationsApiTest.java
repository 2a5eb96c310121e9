package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.OperationChanged;
import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationId;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations are listed and shown in one way for all kinds, and their course is changed so. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class OperationsApiTest {

  private static final String PATH = "/fleet/v1/operations";
  private static final UnitName TEMPLATE = UnitName.of("web@.service");
  private static final UnitName WEB = TEMPLATE.instantiate("1");
  private static final OperationId ROLLOUT = OperationId.rollout(TEMPLATE);

  private final ApiUnderTest api;

  OperationsApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private void goesOn(Operation operation, String details, Step... steps) {
    api.cluster.operations.add(new OperationProgress(operation, details, List.of(steps)));
  }

  private static Operation operation(OperationId id) {
    return new Operation(id, "user a", FakeUnits.TIME, "", 2);
  }

  @Test
  void allAreListedWithWhatTheyWaitForAndOneWithItsSteps() throws IOException {
    assertThat(api.get(PATH).body()).isEqualTo("{}");
    assertThat(api.get(PATH + "/drain-m1").error()).isEqualTo("404 there is no operation drain-m1");
    goesOn(
        operation(OperationId.drain("m1")),
        "",
        new Step(WEB, Standing.STAYS, "m1", "", "no machine fits"),
        new Step(TEMPLATE.instantiate("2"), Standing.EXEMPT, "m1", "", "it has ended"));
    goesOn(
        operation(ROLLOUT).withPaused(true).withStage(Stage.BACK, "why"),
        "content abc",
        new Step(WEB, Standing.FAILED, "", "", "failed on m1"));
    String drain =
        "{\"id\":\"drain-m1\",\"kind\":\"drain\",\"subject\":\"m1\",\"by\":\"user a\","
            + "\"started\":\"2026-01-01T00:00:00Z\",\"stage\":\"forward\","
            + "\"waitsFor\":\"web@1.service: no machine fits\",\"maxUnavailable\":2,\"left\":1";
    String rollout =
        "{\"id\":\"rollout-web@.service\",\"kind\":\"rollout\",\"subject\":\"web@.service\","
            + "\"by\":\"user a\",\"started\":\"2026-01-01T00:00:00Z\",\"stage\":\"back\","
            + "\"paused\":true,\"reason\":\"why\",\"maxUnavailable\":2,"
            + "\"details\":\"content abc\",\"left\":1";
    assertThat(api.get(PATH).body())
        .isEqualTo("{\"operations\":[" + drain + "}," + rollout + "}]}");
    assertThat(api.get(PATH + "/drain-m1").body())
        .isEqualTo(
            drain
                + ",\"steps\":[{\"unit\":\"web@1.service\",\"standing\":\"stays\",\"from\":\"m1\","
                + "\"detail\":\"no machine fits\"},{\"unit\":\"web@2.service\","
                + "\"standing\":\"exempt\",\"from\":\"m1\",\"detail\":\"it has ended\"}]}");
    assertThat(api.get(PATH + "/rollout-web@.service").body())
        .isEqualTo(
            rollout
                + ",\"steps\":[{\"unit\":\"web@1.service\",\"standing\":\"failed\","
                + "\"detail\":\"failed on m1\"}]}");
  }

  @Test
  void aRolloutWhoseCanariesAreHealthySaysThatItAwaitsPromotion() throws IOException {
    Operation paused = operation(ROLLOUT).withPaused(true);
    goesOn(paused.withStage(Stage.FORWARD, Operation.CANARIES_HEALTHY), "");
    assertThat(api.get(PATH).body()).contains(",\"awaitsPromotion\":true}");

    api.cluster.operations.clear();
    goesOn(paused, "");
    goesOn(paused.withStage(Stage.BACK, Operation.CANARIES_HEALTHY), "");
    goesOn(operation(ROLLOUT).withStage(Stage.FORWARD, Operation.CANARIES_HEALTHY), "");
    assertThat(api.get(PATH).body()).doesNotContain("awaitsPromotion");
  }

  @Test
  void theCourseOfEachIsChangedInTheSameWay() throws IOException {
    for (String id :
        List.of("rollout-web@.service", "restart-mon.service", "drain-m1", "rebalance")) {
      String path = PATH + "/" + id;
      assertThat(api.request("POST", path + "/pause", "").error())
          .isEqualTo("404 no operation " + id + " is under way");
      api.cluster.changes.put(id + " PAUSE", OperationChanged.CHANGED);
      api.cluster.changes.put(id + " RESUME", OperationChanged.ALREADY);
      api.cluster.changes.put(id + " CANCEL", OperationChanged.CHANGED);
      assertThat(api.request("POST", path + "/pause", "").status()).isEqualTo(204);
      assertThat(api.request("POST", path + "/resume", "").status()).isEqualTo(200);
      assertThat(api.request("POST", path + "/cancel", "").status()).isEqualTo(204);
      assertThat(api.get(path + "/pause").status()).isEqualTo(405);
      assertThat(api.request("POST", path, "").status()).isEqualTo(405);
      assertThat(api.request("POST", path + "/forth", "").status()).isEqualTo(404);
    }
  }

  @Test
  void onlyARolloutKnowsWhatUnitsHadBefore() throws IOException {
    api.cluster.changes.put("rollout-web@.service REVERT", OperationChanged.CHANGED);
    assertThat(api.request("POST", PATH + "/rollout-web@.service/revert", "").status())
        .isEqualTo(204);
    for (String id : List.of("drain-m1", "rebalance", "restart-mon.service")) {
      String path = PATH + "/" + id + "/revert";
      assertThat(api.request("POST", path, "").error())
          .isEqualTo("404 no operation " + id + " is under way");
      goesOn(operation(OperationId.of(id).orElseThrow()), "");
      assertThat(api.request("POST", path, "").error())
          .startsWith("409 a ")
          .contains("cannot be reverted");
      assertThat(api.request("POST", PATH + "/" + id + "/promote", "").error())
          .startsWith("409 a ")
          .contains("has no canaries");
    }
  }

  @Test
  void whatNamesNoOperationIsNotFound() throws IOException {
    for (String id : List.of("drain", "drain-", "rebalance-m1", "rollout-web", "reboot-m1", "-")) {
      assertThat(api.get(PATH + "/" + id).error())
          .isEqualTo("404 there is no operation \"" + id + "\"");
    }
  }
}
