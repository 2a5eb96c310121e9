package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.metric.Metric;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class PathsApiTest {

  private final ApiUnderTest api;

  PathsApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST|/fleet/v1/units|405 only GET supported against this resource",
        "DELETE|/fleet/v1/state|405 only GET supported against this resource",
        "PUT|/fleet/v1/state/a.service|405 only GET supported against this resource",
        "POST|/v1-alpha/units/a.service|405 only GET, PUT and DELETE supported against this resource",
        "PUT|/fleet/v1/machines|405 only GET and PATCH supported against this resource",
        "POST|/fleet/v1/discovery|400 only HTTP GET supported against this resource",
        "POST|/fleet/v1/events|405 only GET supported against this resource",
        "PUT|/metrics|405 only GET supported against this resource",
        "POST|/healthz|405 only GET supported against this resource",
        "PUT|/readyz|405 only GET supported against this resource",
        "GET|/fleet/v1|405 ''",
        "GET|/v1-alpha|405 ''",
        "GET|/fleet/v1/|404 ''",
        "GET|/fleet/v1/units/|404 ''",
        "GET|/fleet/v1/units/a/b|404 ''",
        "GET|/fleet/v1/units/a/b/c|404 ''",
        "GET|/fleet/v1/nothing|404 ''",
        "GET|/fleet/v2/units|404 ''",
        "GET|/fleet|404 ''",
        "GET|/fleet/v1/units/../units|404 ''",
      })
  void wrongPathsAndMethodsAreToldApart(String method, String path, String expected)
      throws IOException {
    Reply reply = api.request(method, path, "");
    assertThat(reply.error()).isEqualTo(expected.replace("''", ""));
    assertThat(reply.header("server")).isEqualTo("fleetd/2.0.0");
    assertThat(reply.header("content-type")).isEqualTo("application/json");
  }

  @Test
  void headIsAWrongMethod() throws IOException {
    Reply reply = api.request("HEAD", "/fleet/v1/units", "");
    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("allow")).isEqualTo("GET, PUT");
  }

  @Test
  void theDiscoveryDocumentNamesItsMethods() throws IOException {
    Reply reply = api.get("/fleet/v1/discovery");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).isEqualTo("application/json");
    assertThat(reply.body())
        .contains(
            "\"id\": \"fleet:v1\"",
            "\"rootUrl\": \"$ENDPOINT/\"",
            "fleet.Machine.List",
            "fleet.Unit.Set",
            "fleet.UnitState.Get",
            "\"UnitStatePage\"");
  }

  @Test
  void metricsCountTheRequests() throws IOException {
    assertThat(api.get("/fleet/v1/units").status()).isEqualTo(200);
    assertThat(api.request("BREW", "/", "").status()).isEqualTo(405);
    String refused = "fleet_http_requests_total{method=\"other\",code=\"405\"} 1\n";
    String answered = "fleet_http_requests_total{method=\"GET\",code=\"200\"} ";
    Reply reply = api.get("/metrics");
    // A request is counted when it has been answered, so a moment after its answer is here.
    while (!reply.body().contains(refused) || !reply.body().contains(answered)) {
      reply = api.get("/metrics");
    }
    assertThat(reply.header("content-type")).startsWith("text/plain");
    assertThat(reply.body())
        .contains("# TYPE process_cpu_seconds_total counter\n", "process_resident_memory_bytes ")
        .contains("process_open_fds ", "process_max_fds ", "jvm_threads ")
        .doesNotContain("\ngo_");
  }

  @Test
  void theEnginesMetricsHaveTheNamesOfFleet1() throws IOException {
    api.metrics.record(Metric.FLEET_ENGINE_RECONCILE_COUNT_TOTAL, 7);
    api.metrics.record(Metric.FLEET_ENGINE_RECONCILE_FAILURE_COUNT_TOTAL, 3, "machine_away");
    api.metrics.record(Metric.FLEET_ENGINE_TASK_COUNT_TOTAL, 5, "attemptscheduleunit");
    api.metrics.ask(meter -> meter.record(Metric.FLEET_ENGINE_LEADER_START_TIME, 1_700_000_000));
    String body = api.get("/metrics").body();
    assertThat(body.lines())
        .contains(
            "fleet_engine_leader_start_time 1700000000",
            "fleet_engine_reconcile_count_total 7",
            "fleet_engine_reconcile_failure_count_total{type=\"machine_away\"} 3",
            "fleet_engine_reconcile_failure_count_total{type=\"run\"} 0",
            "fleet_engine_reconcile_failure_count_total{type=\"schedule\"} 0",
            "fleet_engine_task_count_total{type=\"attemptscheduleunit\"} 5",
            "fleet_engine_task_count_total{type=\"unscheduleunit\"} 0",
            "fleet_engine_task_failure_count_total{type=\"attemptscheduleunit\"} 0",
            "fleet_engine_task_failure_count_total{type=\"unscheduleunit\"} 0",
            "# TYPE fleet_engine_leader_start_time gauge",
            "# TYPE fleet_engine_reconcile_count_total counter",
            "# TYPE fleet_engine_reconcile_failure_count_total counter",
            "# TYPE fleet_engine_task_count_total counter",
            "# TYPE fleet_engine_task_failure_count_total counter");
    assertThat(body)
        .contains("process_start_time_seconds ", "process_virtual_memory_bytes ")
        .doesNotContain("\nengine_reconcile_duration_second", "\nregistry_operation_");
  }

  /** Two of one name would make all of them unreadable to Prometheus. */
  @Test
  void theLeaderWritesTheMetricsOfTheClusterOnce() throws IOException {
    api.metrics.ask(meter -> meter.record(Metric.FLEET_MACHINES, 3));
    assertThat(api.get("/metrics?cluster=true").body())
        .containsOnlyOnce("# TYPE fleet_machines gauge\nfleet_machines 3\n");
  }

  @Test
  void aSourceThatFailsHidesNoOther() throws IOException {
    api.metrics.ask(_ -> {
      throw new IllegalStateException("closed");
    });
    api.metrics.ask(meter -> meter.flag(Metric.FLEET_READY, true));
    assertThat(api.get("/metrics").body()).contains("fleet_ready 1\n", "jvm_threads ");
  }

  @Test
  void histogramsHaveBucketsUpToEachBound() throws IOException {
    api.metrics.record(Metric.FLEET_ENGINE_TURN_SECONDS, 0.002);
    api.metrics.record(Metric.FLEET_ENGINE_TURN_SECONDS, 0.1);
    api.metrics.record(Metric.FLEET_ENGINE_TURN_SECONDS, 60);
    assertThat(api.get("/metrics").body())
        .contains(
            """
            # TYPE fleet_engine_turn_seconds histogram
            fleet_engine_turn_seconds_bucket{le="0.001"} 0
            fleet_engine_turn_seconds_bucket{le="0.005"} 1
            fleet_engine_turn_seconds_bucket{le="0.025"} 1
            fleet_engine_turn_seconds_bucket{le="0.1"} 2
            fleet_engine_turn_seconds_bucket{le="0.5"} 2
            fleet_engine_turn_seconds_bucket{le="2.5"} 2
            fleet_engine_turn_seconds_bucket{le="10"} 2
            fleet_engine_turn_seconds_bucket{le="+Inf"} 3
            fleet_engine_turn_seconds_sum 60.102
            fleet_engine_turn_seconds_count 3
            """);
  }

  @Test
  void valuesThatALabelCannotHaveAreOneSeries() throws IOException {
    api.metrics.record(Metric.FLEET_AGENT_STARTS_TOTAL, 1, "invented");
    api.metrics.record(Metric.FLEET_AGENT_STARTS_TOTAL, 1, "made up");
    assertThat(api.get("/metrics").body())
        .contains("fleet_agent_starts_total{result=\"other\"} 2\n")
        .doesNotContain("invented");
  }

  @Test
  void healthAndReadinessAreToldApart() throws IOException {
    assertThat(api.get("/readyz").body()).isEqualTo("ready\n");
    api.problem = Optional.of("no engine leads\nthe cluster");
    assertThat(api.get("/healthz").status()).isEqualTo(200);
    assertThat(api.get("/healthz").body()).isEqualTo("ok\n");
    Reply unready = api.get("/readyz");
    assertThat(unready.status()).isEqualTo(503);
    assertThat(unready.header("content-type")).startsWith("text/plain");
    assertThat(unready.body()).isEqualTo("not ready: no engine leads\\x0athe cluster\n");
  }

  @Test
  void metricsOfTheClusterAreThereWhereTheyAreAskedFor() throws IOException {
    api.cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
    api.cluster.add(FakeUnits.state("web.service", "m1"));
    assertThat(api.get("/metrics").body()).doesNotContain("fleet_machines");
    assertThat(api.get("/metrics?cluster=true").body())
        .contains(
            "fleet_machines 0\n", "fleet_units 1\n", "fleet_unit_states{active=\"active\"} 1\n");
  }

  @Test
  void aMachineForgesNoMetricByTheNameOfAState() throws IOException {
    UnitState state = FakeUnits.state("web.service", "m1");
    api.cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
    api.cluster.add(
        new UnitState(
            state.unit(),
            state.machine(),
            state.incarnation(),
            state.hash(),
            state.performed(),
            1,
            new SystemdState("loaded", "x\"} 1\nfleet_machines 7\\", "", "", "", 0, Instant.EPOCH),
            ""));

    assertThat(api.get("/metrics?cluster=true").body())
        .contains("fleet_unit_states{active=\"x\\\"} 1\\\\x0afleet_machines 7\\\\\"} 1\n")
        .doesNotContain("\nfleet_machines 7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense\\r\\n\\r\\n|400",
        "GET /fleet/v1/units HTTP/1.1\\r\\n\\r\\n|400",
        "GET /fleet/v1/units HTTP/9.9\\r\\nHost: x\\r\\n\\r\\n|505",
        "PUT /fleet/v1/units/a.service HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: -1\\r\\n\\r\\n|400",
        "GET /fleet/v1/units/%zz HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n|400",
      })
  void malformedHttpGetsAnErrorOfTheApi(String request, int status) throws IOException {
    try (RawConnection wire = api.connect()) {
      wire.send(request.replace("\\r", "\r").replace("\\n", "\n"));
      Reply reply = wire.read();
      assertThat(reply.status()).isEqualTo(status);
      assertThat(reply.body()).startsWith("{\"error\":{\"code\":" + status);
    }
  }

  @Test
  void headersWithoutEndAreRefused() throws IOException {
    try (RawConnection wire = api.connect()) {
      wire.send("GET /fleet/v1/units HTTP/1.1\r\nHost: x\r\nX: " + "x".repeat(20000) + "\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(431);
    }
  }

  @Test
  void oneConnectionCarriesManyRequests() throws IOException {
    try (RawConnection wire = api.connect()) {
      for (int i = 0; i < 3; i++) {
        assertThat(wire.get("/fleet/v1/units").body()).isEqualTo("{}");
        assertThat(wire.get("/fleet/v1/units/gone.service").status()).isEqualTo(404);
      }
    }
  }

  @Test
  void oldHttpIsAnswered() throws IOException {
    try (RawConnection wire = api.connect()) {
      wire.send("GET /fleet/v1/units HTTP/1.0\r\n\r\n");
      assertThat(wire.read().body()).isEqualTo("{}");
    }
  }
}
