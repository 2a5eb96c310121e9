package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import fleet.cluster.NewRollout;
import fleet.cluster.RolloutProgress;
import fleet.cluster.RolloutProgress.OfUnit;
import fleet.cluster.RolloutProgress.Standing;
import fleet.cluster.RolloutResult;
import fleet.core.operation.Rollout;
import fleet.core.operation.Rollout.Stage;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Rolling changes. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class RolloutsApiTest {

  private static final String JSON = "Content-Type: application/json";
  private static final String PATH = "/fleet/v1/rollouts/web@.service";
  private static final String OPTIONS =
      "\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"/bin/true\"}]";
  private static final UnitName TEMPLATE = UnitName.of("web@.service");

  private final ApiUnderTest api;

  RolloutsApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private int put(String body) throws IOException {
    return api.request("PUT", PATH, body, JSON).status();
  }

  private String error(String path, String body) throws IOException {
    return api.request("PUT", path, body, JSON).error();
  }

  @Test
  void oneBeginsAsItIsAskedFor() throws IOException {
    assertThat(put("{" + OPTIONS + "}")).isEqualTo(201);
    assertThat(put("{" + OPTIONS + ",\"maxUnavailable\":3,\"healthySeconds\":0}")).isEqualTo(201);
    assertThat(api.cluster.rolledOut)
        .extracting(NewRollout::name, NewRollout::maxUnavailable, NewRollout::healthy)
        .containsExactly(
            tuple(TEMPLATE, 1, Duration.ofSeconds(10)), tuple(TEMPLATE, 3, Duration.ZERO));
    assertThat(api.cluster.rolledOut.getFirst().file().render()).contains("ExecStart=/bin/true");
    api.cluster.rolloutResult = RolloutResult.NOTHING_TO_DO;
    assertThat(put("{" + OPTIONS + "}")).isEqualTo(200);
  }

  @Test
  void whatCannotBeIsRefusedWithTheReason() throws IOException {
    assertThat(error(PATH, "{}")).contains("expect options, the new content of web@.service");
    assertThat(error(PATH, "{" + OPTIONS + ",\"maxUnavailable\":0}")).contains("at least 1, not 0");
    assertThat(error(PATH, "{" + OPTIONS + ",\"healthySeconds\":-1}"))
        .contains("from 0 to 86400, not -1");
    assertThat(error("/fleet/v1/rollouts/web@1.service", "{" + OPTIONS + "}"))
        .contains("web@1.service is an instance: a rollout is of its template");
    assertThat(error("/fleet/v1/rollouts/nonsense", "{" + OPTIONS + "}")).contains("unit name");
    assertThat(
            error(
                PATH,
                "{\"options\":[{\"section\":\"X-Fleet\",\"name\":\"Memory\",\"value\":\"x\"}]}"))
        .contains("Memory");
    assertThat(api.cluster.rolledOut).isEmpty();

    api.cluster.rolloutResult = RolloutResult.UNKNOWN;
    assertThat(error(PATH, "{" + OPTIONS + "}")).contains("neither web@.service nor an instance");
    api.cluster.rolloutResult = RolloutResult.GLOBAL;
    assertThat(error(PATH, "{" + OPTIONS + "}")).contains("is global");
    api.cluster.rolloutResult = RolloutResult.TOO_MANY;
    assertThat(error(PATH, "{" + OPTIONS + "}")).contains("more instances than one rollout");
    api.cluster.rolloutResult = RolloutResult.UNDER_WAY;
    api.cluster.rollouts.add(rollout(Stage.FORWARD, List.of()));
    assertThat(error(PATH, "{" + OPTIONS + "}")).contains("goes on, as user a asked");
  }

  @Test
  void theyAreListedAndOneTellsOfItsUnits() throws IOException {
    assertThat(api.request("GET", "/fleet/v1/rollouts", "").body()).isEqualTo("{}");
    assertThat(api.request("GET", PATH, "").error())
        .contains("there is no rollout of web@.service");
    api.cluster.rollouts.add(
        rollout(
            Stage.BACK,
            List.of(new OfUnit(TEMPLATE.instantiate("1"), Standing.FAILED, "failed on m1"))));
    String one =
        "{\"name\":\"web@.service\",\"hash\":\"abc\",\"maxUnavailable\":2,\"healthySeconds\":5,"
            + "\"stage\":\"back\",\"paused\":false,\"by\":\"user a\",\"reason\":\"why\","
            + "\"started\":\"1970-01-01T00:00:00Z\"";
    assertThat(api.request("GET", "/fleet/v1/rollouts", "").body())
        .isEqualTo("{\"rollouts\":[" + one + "}]}");
    assertThat(api.request("GET", PATH, "").body())
        .isEqualTo(
            one
                + ",\"waitsFor\":\"at most 2 may be down\",\"units\":[{\"name\":\"web@1.service\",\"standing\":\"failed\","
                + "\"how\":\"failed on m1\"}]}");
  }

  @Test
  void itsCourseIsChanged() throws IOException {
    api.cluster.rolloutChanges.put("web@.service PAUSE", true);
    api.cluster.rolloutChanges.put("web@.service RESUME", false);
    assertThat(api.request("POST", PATH + "/pause", "").status()).isEqualTo(204);
    assertThat(api.request("POST", PATH + "/resume", "").status()).isEqualTo(200);
    assertThat(api.request("POST", PATH + "/back", "").error())
        .contains("no rollout of web@.service goes on");
    assertThat(api.request("POST", PATH + "/forth", "").status()).isEqualTo(404);
    assertThat(api.request("GET", PATH + "/pause", "").status()).isEqualTo(405);
  }

  private static RolloutProgress rollout(Stage stage, List<OfUnit> units) {
    return new RolloutProgress(
        new Rollout(
            TEMPLATE,
            "abc",
            2,
            Duration.ofSeconds(5),
            stage,
            false,
            "user a",
            "why",
            Instant.EPOCH),
        units.isEmpty() ? "" : "at most 2 may be down",
        units);
  }
}
