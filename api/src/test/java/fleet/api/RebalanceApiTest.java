package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.cluster.EventId;
import fleet.cluster.Intent;
import fleet.cluster.RebalanceProgress;
import fleet.cluster.RebalanceProgress.OfUnit;
import fleet.cluster.RebalanceProgress.Standing;
import fleet.cluster.RebalanceStart;
import fleet.core.operation.Evenness;
import fleet.core.operation.Rebalance;
import fleet.core.operation.Rebalance.Move;
import fleet.core.unit.UnitName;
import fleet.entities.CauseEntity;
import fleet.entities.EventEntity;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Units move from machines that have many to machines that have few. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class RebalanceApiTest {

  private static final String PATH = "/fleet/v1/rebalance";
  private static final Move MOVE = new Move(UnitName.of("web.service"), "m1", "m2");

  private final ApiUnderTest api;

  RebalanceApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private void goesOn(Rebalance rebalance, OfUnit... units) {
    api.cluster.rebalance =
        Optional.of(new RebalanceProgress(rebalance, new Evenness(0, 6), List.of(units)));
  }

  @Test
  void oneThatBeginsSaysWhatItMoves() throws IOException {
    goesOn(new Rebalance(2, 3, "user a"), new OfUnit(MOVE, Standing.NEXT, ""));
    api.cluster.rebalanceStart =
        new RebalanceStart(RebalanceStart.Kind.BEGUN, "more moves would be needed");
    var begun = api.request("POST", PATH + "?within=2&moves=1&maxUnavailable=3", "");
    assertThat(begun.status()).isEqualTo(201);
    assertThat(begun.body())
        .isEqualTo(
            "{\"by\":\"user a\",\"least\":0,\"maxUnavailable\":3,\"most\":6,"
                + "\"reason\":\"more moves would be needed\",\"units\":[{\"name\":\"web.service\","
                + "\"from\":\"m1\",\"to\":\"m2\",\"standing\":\"next\"}],\"within\":2}");
    assertThat(api.request("POST", PATH, "").status()).isEqualTo(201);
    assertThat(api.cluster.intents)
        .containsExactly(
            new Intent.Rebalance(2, 1, 3), new Intent.Rebalance(1, Intent.Rebalance.MOST_MOVES, 1));
  }

  @Test
  void whereNothingIsToMoveOrMayThatIsSaid() throws IOException {
    api.cluster.rebalanceStart =
        new RebalanceStart(RebalanceStart.Kind.NOTHING, "machines have 2 units each");
    var nothing = api.request("POST", PATH, "");
    assertThat(nothing.status()).isEqualTo(200);
    assertThat(nothing.body()).isEqualTo("{\"reason\":\"machines have 2 units each\"}");
    for (RebalanceStart.Kind kind :
        List.of(RebalanceStart.Kind.UNDER_WAY, RebalanceStart.Kind.REFUSED)) {
      api.cluster.rebalanceStart = new RebalanceStart(kind, "why not");
      assertThat(api.request("POST", PATH, "").error()).isEqualTo("409 why not");
    }
  }

  @Test
  void howFarItIsCanBeReadAlsoAtItsEnd() throws IOException {
    assertThat(api.get(PATH).error()).isEqualTo("404 no rebalance was ever asked for");
    goesOn(
        new Rebalance(1, 1, "user a", "user b", true),
        new OfUnit(MOVE, Standing.STAYS, "user b stopped the rebalance"));
    assertThat(api.get(PATH).body())
        .isEqualTo(
            "{\"by\":\"user a\",\"ended\":true,\"least\":0,\"maxUnavailable\":1,\"most\":6,"
                + "\"stoppedBy\":\"user b\",\"units\":[{\"name\":\"web.service\",\"from\":\"m1\","
                + "\"to\":\"m2\",\"standing\":\"stays\","
                + "\"reason\":\"user b stopped the rebalance\"}],\"within\":1}");
  }

  @Test
  void itIsStoppedAsLongAsItGoesOn() throws IOException {
    assertThat(api.request("DELETE", PATH, "").error()).isEqualTo("404 no rebalance goes on");
    goesOn(new Rebalance(1, 1, "user a"));
    assertThat(api.request("DELETE", PATH, "").status()).isEqualTo(204);
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
    assertThat(api.cluster.intents).isEmpty();
  }

  @Test
  void itsEventsNameWhoAskedAndWhatCameOfIt() {
    var begun =
        entity(
            Event.Body.of(
                Event.Command.REBALANCE,
                Subject.NONE,
                new Cause("user a", "3 moves, within 1, max-unavailable 1")));
    assertThat(begun.name()).isEqualTo("command");
    assertThat(begun.command()).isEqualTo("rebalance");
    assertThat(begun.cause())
        .isEqualTo(new CauseEntity("user a", "3 moves, within 1, max-unavailable 1"));
    var ended =
        entity(new Event.Body(Kind.REBALANCE_ENDED, Subject.NONE, Cause.of("moves made: 3 of 3")));
    assertThat(ended.name()).isEqualTo("rebalance-ended");
    assertThat(ended.cause()).isEqualTo(new CauseEntity("", "moves made: 3 of 3"));
  }

  private static EventEntity entity(Event.Body body) {
    return EntityOf.event(new Event(new EventId("e1", 1), 1, FakeCluster.TIME, body), false);
  }
}
