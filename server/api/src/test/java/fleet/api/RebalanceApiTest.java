package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.EventId;
import fleet.cluster.Intent;
import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.cluster.RebalanceStart;
import fleet.core.operation.Operation;
import fleet.core.operation.OperationId;
import fleet.core.operation.OperationId.Kind;
import fleet.core.unit.UnitName;
import fleet.entities.CauseEntity;
import fleet.entities.EventEntity;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Units move from machines that have many to machines that have few. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class RebalanceApiTest {

  private static final String PATH = "/fleet/v1/rebalance";
  private static final UnitName WEB = UnitName.of("web.service");

  private final ApiUnderTest api;

  RebalanceApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  @Test
  void oneThatBeginsSaysWhatItMoves() throws IOException {
    api.cluster.operations.add(
        new OperationProgress(
            new Operation(
                OperationId.REBALANCE, "user a", FakeUnits.TIME, "more moves would be needed", 3),
            "within 2",
            List.of(new Step(WEB, Standing.NEXT, "m1", "m2", ""))));
    var begun = api.request("POST", PATH + "?within=2&moves=1&maxUnavailable=3", "");
    assertThat(begun.status()).isEqualTo(201);
    assertThat(begun.body())
        .isEqualTo(
            "{\"id\":\"rebalance\",\"kind\":\"rebalance\",\"by\":\"user a\","
                + "\"started\":\"2026-01-01T00:00:00Z\",\"stage\":\"forward\","
                + "\"reason\":\"more moves would be needed\",\"maxUnavailable\":3,"
                + "\"details\":\"within 2\",\"left\":1,\"steps\":[{\"unit\":\"web.service\","
                + "\"standing\":\"next\",\"from\":\"m1\",\"to\":\"m2\"}]}");
    assertThat(api.request("POST", PATH, "").status()).isEqualTo(201);
    assertThat(api.cluster.begun(Intent.Rebalance.class))
        .containsExactly(
            new Intent.Rebalance(2, 1, 3), new Intent.Rebalance(1, Intent.Rebalance.MOST_MOVES, 1));
  }

  @Test
  void whereNothingIsToMoveOrMayThatIsSaid() throws IOException {
    api.cluster.results.put(
        Kind.REBALANCE,
        new RebalanceStart(RebalanceStart.Kind.NOTHING, "machines have 2 units each"));
    var nothing = api.request("POST", PATH, "");
    assertThat(nothing.status()).isEqualTo(200);
    assertThat(nothing.body()).isEqualTo("{\"reason\":\"machines have 2 units each\"}");
    for (RebalanceStart.Kind kind :
        List.of(RebalanceStart.Kind.UNDER_WAY, RebalanceStart.Kind.REFUSED)) {
      api.cluster.results.put(Kind.REBALANCE, new RebalanceStart(kind, "why not"));
      assertThat(api.request("POST", PATH, "").error()).isEqualTo("409 why not");
    }
  }

  @Test
  void whatMakesNoSenseIsRefused() throws IOException {
    for (String name : List.of("within", "moves", "maxUnavailable")) {
      for (String number : List.of("0", "-1", "two", "99999999999")) {
        assertThat(api.request("POST", PATH + "?" + name + "=" + number, "").error())
            .isEqualTo("400 " + name + " must be a whole number of at least 1, not " + number);
      }
    }
    assertThat(api.request("PUT", PATH, "").status()).isEqualTo(405);
    assertThat(api.get(PATH).status()).isEqualTo(405);
    assertThat(api.cluster.begun(Intent.Rebalance.class)).isEmpty();
  }

  @Test
  void itsEventsNameWhoAskedAndWhatCameOfIt() {
    String details = "began: 3 moves, within 1, at most 1 down at a time";
    var begun = entity(Event.Body.of(OperationId.REBALANCE, new Cause("user a", details)));
    assertThat(begun.name()).isEqualTo("operation");
    assertThat(begun.operation()).isEqualTo("rebalance");
    assertThat(begun.reason()).isEqualTo(details);
    assertThat(begun.cause()).isEqualTo(new CauseEntity("user a", details));
  }

  private static EventEntity entity(Event.Body body) {
    return EntityMapper.event(new Event(new EventId("e1", 1), 1, FakeUnits.TIME, body), false);
  }
}
