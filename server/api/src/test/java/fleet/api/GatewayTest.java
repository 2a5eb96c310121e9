package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotLeadingException;
import fleet.cluster.OperationProgress;
import fleet.cluster.RebalanceStart;
import fleet.cluster.UncertainLeadException;
import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiHandler;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import fleet.core.audit.AuditLog;
import fleet.core.operation.Operation;
import fleet.core.operation.OperationId;
import fleet.core.operation.OperationId.Kind;
import fleet.core.state.DesiredState;
import fleet.entities.EntityJson;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The source of an answer: this fleetd's engine, its registry, or the leader. */
class GatewayTest {

  private static final Duration PATIENT = Duration.ofSeconds(30);
  private static final String UNIT =
      "{\"desiredState\":\"loaded\",\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\","
          + "\"value\":\"/bin/true\"}]}";

  private final FakeCluster engine = new FakeCluster();
  private final FakeCluster registry = new FakeCluster();
  private final FakeTokens tokens = new FakeTokens();
  private final FakeGrants grants = new FakeGrants();
  private final List<ApiRequest> passed = new ArrayList<>();
  private Optional<ApiHandler> leader = Optional.of(this::told);
  private final Backend backend =
      new Backend() {
        @Override
        public Optional<Server> server() {
          return Optional.of(
              new Server(
                  engine,
                  new Own(
                      registry,
                      tokens,
                      new FakeTrust(),
                      new FakeClusterAuthority(),
                      grants,
                      new FakeLogins(grants))));
        }

        @Override
        public Optional<ApiHandler> leader() {
          return leader;
        }
      };

  private void told(ApiRequest request, ApiAnswer answer) throws IOException {
    passed.add(request);
    answer.whole(new ApiAnswer.Head(299, Map.of(), false), new byte[0]);
  }

  private static Gateway gateway(Backend backend, Duration patience) {
    EntityJson json = new EntityJson();
    Routes routes =
        new Routes(
            new ApiSettings("2.0.0", 3, List.of(), Optional.empty()),
            json,
            new MetricsResource(new MetricStore(), Optional::empty),
            new HealthResource(Optional::empty));
    return new Gateway(routes, json, backend, AuditLog.NONE, patience);
  }

  private PlayedAnswer answer(ApiRequest request) throws IOException {
    PlayedAnswer answer = new PlayedAnswer();
    gateway(backend, PATIENT).answer(request, answer);
    return answer;
  }

  private PlayedAnswer relayed(ApiRequest request) throws IOException {
    PlayedAnswer answer = new PlayedAnswer();
    gateway(backend, PATIENT).answerRelayed(request, answer);
    return answer;
  }

  private static void notLeading() {
    throw new NotLeadingException("another leads");
  }

  private static void uncertain() {
    throw new UncertainLeadException("etcd is not reached");
  }

  // ---- who is passed on

  /** It costs no more than the refusal: nothing is read, and no other server asked. */
  @Test
  void nobodyElseHearsOfAStranger() throws Exception {
    engine.before = GatewayTest::notLeading;
    for (String path : List.of("units", "state", "events", "machines", "journal")) {
      ApiRequest request =
          PlayedRequest.get("/fleet/v1/" + path).by(new Subject.Stranger("10.0.0.9"));
      assertThat(answer(request).status()).as(path).isEqualTo(401);
    }
    assertThat(passed).isEmpty();
    assertThat(grants.readings).hasValue(0);
  }

  // ---- where

  @ParameterizedTest
  @CsvSource({
    "GET, units",
    "GET, units?stale=1",
    "GET, units/a.service",
    "GET, units/a.service/why",
    "POST, units/a.service/start",
    "GET, units/a.service/status",
    "GET, units/a.service/journal",
    "GET, state",
    "GET, state/a.service",
    "GET, machines",
    "POST, machines/m1/drain",
    "POST, machines/m1/cordon",
    "POST, machines/m1/maintenance",
    "PUT, machines/m1/exec-input?session=0b5c1d3a-7e0f-4a55-9d0e-111213141516",
    "GET, rescheduling",
    "POST, plan",
    "GET, operations",
    "GET, operations/drain-m1",
    "GET, operations/rollout-a.service",
    "GET, operations/rebalance",
    "POST, rebalance",
    "GET, overview",
    "GET, unit-summaries",
    "GET, config",
    "GET, config/scheduler.strategy",
    "GET, events",
    "GET, journal?unit=a.service",
    "GET, usage",
  })
  void whatTakesStatesIsAnsweredByWhoeverLeads(String method, String path) throws IOException {
    String body = path.equals("plan") ? "{\"lose\":\"m1\"}" : "";
    PlayedRequest request = PlayedRequest.of(method, "/fleet/v1/" + path).with(body);
    engine.before = GatewayTest::notLeading;
    assertThat(answer(request).status()).isEqualTo(299);
    assertThat(passed).containsExactly(request);
    assertThat(registry.callers).isEmpty();
  }

  /** Nor is it run twice if that one goes meanwhile. */
  @Test
  void aCommandIsRunByWhoeverLeads() throws IOException {
    PlayedRequest request =
        PlayedRequest.of("POST", "/fleet/v1/machines/m1/exec").with("{\"command\":[\"id\"]}");
    engine.before = GatewayTest::notLeading;
    assertThat(answer(request).status()).isEqualTo(299);
    assertThat(passed).containsExactly(request);
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, units/a.service",
    "DELETE, units/a.service",
    "POST, units/a.service/restart",
    "PATCH, machines",
    "POST, machines/m1/uncordon",
    "DELETE, machines/m1/maintenance",
    "POST, rescheduling/resume",
    "PUT, config/scheduler.strategy",
    "DELETE, config/scheduler.strategy",
    "POST, operations/rebalance/cancel",
    "POST, operations/rollout-a.service/pause",
    "POST, operations/restart-a.service/pause",
  })
  void whatIsWrittenIsWrittenHereWhoeverLeads(String method, String path) throws IOException {
    registry.add(FakeUnits.view("a.service", DesiredState.LOADED));
    engine.before = GatewayTest::notLeading;
    String body =
        switch (path) {
          case "units/a.service" -> UNIT;
          case "machines" -> "[]";
          default -> "{}";
        };
    answer(PlayedRequest.of(method, "/fleet/v1/" + path).with(body));
    assertThat(registry.callers).hasSize(1);
    assertThat(engine.callers).isEmpty();
    assertThat(passed).isEmpty();
  }

  @Test
  void tokensAreMadeAndListedHere() throws IOException {
    engine.before = GatewayTest::notLeading;
    assertThat(answer(PlayedRequest.of("POST", "/fleet/v1/tokens").with("{}")).status())
        .isEqualTo(201);
    assertThat(answer(PlayedRequest.get("/fleet/v1/tokens")).status()).isEqualTo(200);
    assertThat(passed).isEmpty();
  }

  @Test
  void callersAreToldHereWhatTheyMay() throws IOException {
    engine.before = GatewayTest::notLeading;
    assertThat(answer(PlayedRequest.get("/fleet/v1/whoami")).status()).isEqualTo(200);
    assertThat(passed).isEmpty();
  }

  @Test
  void historiesAreReadHere() throws IOException {
    engine.before = GatewayTest::notLeading;
    assertThat(answer(PlayedRequest.get("/fleet/v1/units/a.service/history")).status())
        .isEqualTo(404);
    assertThat(passed).isEmpty();
  }

  @Test
  void whoeverLeadsAsksNobody() throws IOException {
    assertThat(answer(PlayedRequest.get("/fleet/v1/units")).status()).isEqualTo(200);
    assertThat(engine.lists).hasValue(1);
    assertThat(registry.lists).hasValue(0);
    assertThat(passed).isEmpty();
  }

  @Test
  void oldNewsOfTheOwnEngineWillDoForWhoeverTakesThem() throws IOException {
    engine.staleSince = Optional.of(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(answer(PlayedRequest.get("/fleet/v1/units?stale=1")).head.orElseThrow().headers())
        .containsEntry("Fleet-Stale-Since", "2026-01-01T00:00:00Z");
    assertThat(passed).isEmpty();
  }

  @Test
  void whatIsTooLongIsNotPassedOn() throws IOException {
    Backend joined = Backend.joined(this::told);
    PlayedAnswer answer = new PlayedAnswer();
    gateway(joined, PATIENT)
        .answer(
            PlayedRequest.of("PUT", "/fleet/v1/units").with(" ".repeat(Exchange.MAX_BODY + 1)),
            answer);
    assertThat(answer.status()).isEqualTo(413);
    assertThat(passed).isEmpty();
  }

  // ---- who leads changes

  @Test
  void whereTheLeaderIsNotSpokenToTheRegistryIsRead() throws IOException {
    engine.before = GatewayTest::notLeading;
    leader = Optional.empty();
    assertThat(answer(PlayedRequest.get("/fleet/v1/units")).status()).isEqualTo(200);
    assertThat(registry.lists).hasValue(1);
  }

  @Test
  void aLeaderThatDoesNotAnswerIsNotReplacedByTheRegistry() throws IOException {
    engine.before = GatewayTest::notLeading;
    leader =
        Optional.of((_, _) -> {
          throw new ClusterUnavailableException("nobody answers");
        });
    PlayedAnswer answer = answer(PlayedRequest.get("/fleet/v1/units"));
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.body()).contains("nobody answers");
    assertThat(registry.lists).hasValue(0);
  }

  @Test
  void oneThatGoesWhileItIsAskedMayBeFollowedByOneThatIsNotSpokenTo() throws IOException {
    engine.before = GatewayTest::notLeading;
    leader =
        Optional.of((_, _) -> {
          leader = Optional.empty();
          throw new ClusterUnavailableException("nobody answers");
        });
    assertThat(answer(PlayedRequest.get("/fleet/v1/units")).status()).isEqualTo(200);
    assertThat(registry.lists).hasValue(1);
  }

  @Test
  void anEngineThatIsNotCertainIsAskedAgainAndRefusesInTheEnd() throws IOException {
    AtomicInteger attempts = new AtomicInteger();
    engine.before =
        () -> {
          attempts.incrementAndGet();
          uncertain();
        };
    PlayedAnswer answer = new PlayedAnswer();
    gateway(backend, Duration.ofSeconds(2)).answer(PlayedRequest.get("/fleet/v1/units"), answer);
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.body()).contains("etcd is not reached");
    assertThat(attempts).hasValueGreaterThan(1);
    assertThat(passed).isEmpty();
  }

  @Test
  void oneThatIsToldMeanwhileThatAnotherLeadsPassesOn() throws IOException {
    engine.before =
        () -> {
          engine.before = GatewayTest::notLeading;
          uncertain();
        };
    assertThat(answer(PlayedRequest.get("/fleet/v1/units")).status()).isEqualTo(299);
    assertThat(passed).hasSize(1);
  }

  @Test
  void oneThatIsCertainAgainAnswers() throws IOException {
    engine.before =
        () -> {
          engine.before = () -> {};
          uncertain();
        };
    assertThat(answer(PlayedRequest.get("/fleet/v1/units")).status()).isEqualTo(200);
    assertThat(passed).isEmpty();
  }

  // ---- what others pass on

  @Test
  void whatIsPassedOnIsNeverPassedOnAgain() {
    engine.before = GatewayTest::notLeading;
    assertThatThrownBy(() -> relayed(PlayedRequest.get("/fleet/v1/units")))
        .isInstanceOf(NotLeadingException.class);
    engine.before = GatewayTest::uncertain;
    assertThatThrownBy(() -> relayed(PlayedRequest.get("/fleet/v1/units")))
        .isInstanceOf(NotLeadingException.class);
    assertThat(passed).isEmpty();
  }

  @Test
  void whoHasNoRegistryLeavesItToAnother() {
    assertThatThrownBy(() ->
            gateway(Backend.joined(this::told), PATIENT)
                .answerRelayed(PlayedRequest.get("/fleet/v1/units"), new PlayedAnswer()))
        .isInstanceOf(NotLeadingException.class)
        .hasMessageContaining("joined");
    assertThat(passed).isEmpty();
  }

  /** It may lead already, and will answer in a moment. */
  @Test
  void whoIsJustStartingIsAskedAgain() {
    Backend starting =
        new Backend() {
          @Override
          public Optional<Server> server() {
            throw new ClusterUnavailableException("fleetd waits for etcd");
          }

          @Override
          public Optional<ApiHandler> leader() {
            throw new ClusterUnavailableException("fleetd waits for etcd");
          }
        };
    assertThatThrownBy(() ->
            gateway(starting, PATIENT)
                .answerRelayed(PlayedRequest.get("/fleet/v1/units"), new PlayedAnswer()))
        .isInstanceOf(NotLeadingException.class)
        .hasMessage("fleetd waits for etcd");
  }

  @Test
  void eventsThatTheEndOfALeadEndsGoOnElsewhere() throws IOException {
    engine.events.end = Optional.of("another server sends the events from now on");
    PlayedAnswer answer = relayed(PlayedRequest.get("/fleet/v1/events"));
    assertThat(answer.body()).contains("event: start");
    assertThat(answer.continued).isTrue();
    assertThat(answer.ended).isFalse();
  }

  @Test
  void eventsThatWereAllAskedForEnd() throws IOException {
    PlayedAnswer answer = relayed(PlayedRequest.get("/fleet/v1/events?follow=0"));
    assertThat(answer.ended).isTrue();
    assertThat(answer.continued).isFalse();
  }

  // ---- twice

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /fleet/v1/units/a.service/restart",
        "POST /fleet/v1/units/a.service/%72estart?stale=1",
        "POST /v1-alpha/units/a.service/restart",
        "POST /fleet/v1/units/a.service/kill",
        "POST /fleet/v1/units/a.service/reload",
        "POST /fleet/v1/tokens",
        "POST /fleet/v1/%74okens",
        "PUT /fleet/v1/rollouts/a.service",
        "POST /fleet/v1/units/a.service/restart-in-turns",
        "PUT /fleet/v1/r%6Fllouts/a.service",
      })
  void whatIsNotTheSameTwiceSaysSo(String request) {
    assertThat(mayBeRepeated(request)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /fleet/v1/tokens",
        "DELETE /fleet/v1/tokens/t1",
        "GET /fleet/v1/operations/rollout-a.service",
        "POST /fleet/v1/operations/rollout-a.service/pause",
        "POST /fleet/v1/units/a.service/start",
        "PUT /fleet/v1/units/restart",
        "DELETE /fleet/v1/units/a.service",
        "POST /fleet/v1/rebalance",
      })
  void allElseMayBeDoneAgain(String request) {
    assertThat(mayBeRepeated(request)).isTrue();
  }

  private boolean mayBeRepeated(String request) {
    List<String> words = List.of(request.split(" ", 2));
    return gateway(Backend.joined(this::told), PATIENT)
        .mayBeRepeated(PlayedRequest.of(words.getFirst(), words.getLast()));
  }

  private void goesOn(String by) {
    engine.results.put(
        Kind.REBALANCE, new RebalanceStart(RebalanceStart.Kind.UNDER_WAY, "one goes on"));
    engine.operations.clear();
    engine.operations.add(
        new OperationProgress(
            new Operation(OperationId.REBALANCE, by, FakeUnits.TIME, "", 1),
            "within 1",
            List.of()));
  }

  @Test
  void aRebalanceThatAnEarlierAttemptBeganHasBegun() throws IOException {
    goesOn("user a");
    PlayedRequest rebalance = PlayedRequest.of("POST", "/fleet/v1/rebalance");
    assertThat(relayed(rebalance).status()).isEqualTo(409);
    PlayedAnswer begun = relayed(rebalance.repeated());
    assertThat(begun.status()).isEqualTo(201);
    assertThat(begun.body()).contains("\"by\":\"user a\"");

    goesOn("user b");
    assertThat(relayed(rebalance.repeated()).status()).isEqualTo(409);
  }

  /** Else it would be carried out once more, and refused because of itself. */
  @Test
  void aLeaderThatGoesOnceARebalanceHasBegunSaysSo() throws IOException {
    List<RuntimeException> reasons =
        List.of(
            new NotLeadingException("another leads"),
            new UncertainLeadException("etcd is not reached"),
            new ClusterUnavailableException("stopping"));
    for (RuntimeException why : reasons) {
      engine.begun.clear();
      engine.before =
          () -> {
            if (!engine.begun.isEmpty()) {
              throw why;
            }
          };
      assertThat(answer(PlayedRequest.of("POST", "/fleet/v1/rebalance")).status()).isEqualTo(201);
      assertThat(engine.begun).hasSize(1);
    }
    assertThat(passed).isEmpty();
  }
}
