package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import fleet.cluster.NewRestart;
import fleet.cluster.NewRollout;
import fleet.cluster.OperationProgress;
import fleet.cluster.RestartResult;
import fleet.cluster.RolloutResult;
import fleet.core.operation.Operation;
import fleet.core.operation.OperationId;
import fleet.core.operation.OperationId.Kind;
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
    assertThat(put("{" + OPTIONS + ",\"maxUnavailable\":3,\"healthySeconds\":0,\"canaries\":2}"))
        .isEqualTo(201);
    assertThat(api.cluster.begun(NewRollout.class))
        .extracting(
            NewRollout::name, NewRollout::maxUnavailable, NewRollout::healthy, NewRollout::canaries)
        .containsExactly(
            tuple(TEMPLATE, 1, Duration.ofSeconds(10), 0), tuple(TEMPLATE, 3, Duration.ZERO, 2));
    assertThat(api.cluster.begun(NewRollout.class).getFirst().file().render())
        .contains("ExecStart=/bin/true");
    api.cluster.results.put(Kind.ROLLOUT, RolloutResult.NOTHING_TO_DO);
    assertThat(put("{" + OPTIONS + "}")).isEqualTo(200);
    api.cluster.results.put(Kind.ROLLOUT, RolloutResult.FOLLOWED);
    assertThat(put("{" + OPTIONS + "}")).isEqualTo(202);
  }

  private void refusedAsNotInTurns(RolloutResult result, String why) throws IOException {
    api.cluster.results.put(Kind.ROLLOUT, result);
    assertThat(api.request("PUT", PATH, "{" + OPTIONS + "}", JSON).body())
        .contains(why, ",\"type\":\"not-in-turns\"}}");
  }

  private Reply restart(String query) throws IOException {
    return api.request("POST", "/fleet/v1/units/mon.service/restart-in-turns" + query, "");
  }

  @Test
  void aGlobalUnitIsRestartedInTurns() throws IOException {
    assertThat(restart("").status()).isEqualTo(201);
    assertThat(restart("?maxUnavailable=3&healthySeconds=60").status()).isEqualTo(201);
    UnitName mon = UnitName.of("mon.service");
    assertThat(api.cluster.begun(NewRestart.class))
        .containsExactly(
            new NewRestart(mon, 1, Duration.ofSeconds(2)),
            new NewRestart(mon, 3, Duration.ofSeconds(60)));
    assertThat(restart("?maxUnavailable=0").error()).contains("at least 1, not 0");
    assertThat(restart("?healthySeconds=86401").error()).contains("from 1 to 86400, not 86401");
    api.cluster.results.put(Kind.RESTART, RestartResult.FOLLOWED);
    assertThat(restart("").status()).isEqualTo(202);
    api.cluster.results.put(Kind.RESTART, RestartResult.UNKNOWN);
    assertThat(restart("").error()).contains("404 unit does not exist");
    api.cluster.results.put(Kind.RESTART, RestartResult.NOT_GLOBAL);
    assertThat(restart("").error()).contains("409 mon.service is not global");
    api.cluster.results.put(Kind.RESTART, RestartResult.NOT_LAUNCHED);
    assertThat(restart("").error()).contains("409 mon.service is not launched");
    api.cluster.results.put(Kind.RESTART, RestartResult.ROLLOUT_UNDER_WAY);
    assertThat(restart("").error()).contains("409 a rollout of mon.service");
  }

  @Test
  void instancesMayBeLeftOut() throws IOException {
    assertThat(put("{" + OPTIONS + ",\"except\":[\"web@1.service\"]}")).isEqualTo(201);
    assertThat(api.cluster.begun(NewRollout.class).getFirst().except())
        .containsExactly(UnitName.of("web@1.service"));
    assertThat(error(PATH, "{" + OPTIONS + ",\"except\":[\"app@1.service\"]}"))
        .contains("except: app@1.service is no instance of web@.service");
  }

  @Test
  void whatCannotBeIsRefusedWithTheReason() throws IOException {
    assertThat(error(PATH, "{}")).contains("expect options, the new content of web@.service");
    assertThat(error(PATH, "{" + OPTIONS + ",\"maxUnavailable\":0}")).contains("at least 1, not 0");
    assertThat(error(PATH, "{" + OPTIONS + ",\"healthySeconds\":-1}"))
        .contains("from 0 to 86400, not -1");
    assertThat(error(PATH, "{" + OPTIONS + ",\"canaries\":-1}")).contains("at least 1, not -1");
    assertThat(error("/fleet/v1/rollouts/web@1.service", "{" + OPTIONS + "}"))
        .contains("web@1.service is an instance: a rollout is of its template");
    String global =
        "{\"options\":[{\"section\":\"X-Fleet\",\"name\":\"Global\",\"value\":\"true\"}]}";
    assertThat(api.request("PUT", "/fleet/v1/rollouts/log@1.service", global, JSON).status())
        .isEqualTo(201);
    api.cluster.begun.clear();
    assertThat(error("/fleet/v1/rollouts/nonsense", "{" + OPTIONS + "}")).contains("unit name");
    assertThat(
            error(
                PATH,
                "{\"options\":[{\"section\":\"X-Fleet\",\"name\":\"Memory\",\"value\":\"x\"}]}"))
        .contains("Memory");
    assertThat(api.cluster.begun(NewRollout.class)).isEmpty();

    api.cluster.results.put(Kind.ROLLOUT, RolloutResult.UNKNOWN);
    assertThat(error(PATH, "{" + OPTIONS + "}")).contains("neither web@.service nor an instance");
    api.cluster.results.put(Kind.ROLLOUT, RolloutResult.RESTARTING);
    assertThat(error(PATH, "{" + OPTIONS + "}"))
        .contains("let restart-web@.service end, or cancel it first");
    refusedAsNotInTurns(RolloutResult.GLOBAL, "would become global");
    refusedAsNotInTurns(RolloutResult.NOT_WANTED, "neither loaded nor launched");
    api.cluster.results.put(Kind.ROLLOUT, RolloutResult.TOO_MANY);
    assertThat(error(PATH, "{" + OPTIONS + "}")).contains("more instances than one rollout");
    api.cluster.results.put(Kind.ROLLOUT, RolloutResult.UNDER_WAY);
    api.cluster.operations.add(
        new OperationProgress(
            new Operation(OperationId.rollout(TEMPLATE), "user a", Instant.EPOCH, "", 2),
            "",
            List.of()));
    assertThat(error(PATH, "{" + OPTIONS + "}")).contains("asked for by user a, is under way");
  }
}
