package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines;
import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Departed;
import fleet.cluster.AbsentMachines.Pause;
import fleet.cluster.AbsentMachines.Standing;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReschedulingApiTest {

  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00.5Z");

  @Test
  void saysWhichMachinesAreMissedAndGoesOnWhenAsked() throws Exception {
    try (var api = new ApiUnderTest()) {
      assertThat(api.get("/fleet/v1/rescheduling").body()).isEqualTo("{}");
      api.cluster.absences =
          new AbsentMachines(
              List.of(
                  new Absent("m1", 2, Standing.AWAITED, Optional.empty()),
                  new Absent("m2", 1, Standing.HELD, Optional.empty()),
                  new Absent(
                      "m3",
                      1,
                      Standing.MAINTENANCE,
                      Optional.of(new Maintenance(SINCE, "user a", "node3")))),
              Optional.of(new Pause(SINCE, SINCE.plusSeconds(300), 3, 6)),
              List.of());
      assertThat(api.get("/fleet/v1/rescheduling").body())
          .isEqualTo(
              "{\"absent\":[{\"id\":\"m1\",\"standing\":\"awaited\",\"units\":2},"
                  + "{\"id\":\"m2\",\"standing\":\"held\",\"units\":1},"
                  + "{\"id\":\"m3\",\"standing\":\"maintenance\",\"units\":1,"
                  + "\"hostname\":\"node3\",\"maintenance\":{\"by\":\"user a\","
                  + "\"until\":\"2026-01-01T00:00:00.500Z\"}}],"
                  + "\"pause\":{\"of\":6,\"reason\":\"3 of 6 machines vanished at once, so units of"
                  + " lost machines stay where they are until 2026-01-01T00:05:00Z or `fleetctl"
                  + " resume`\",\"since\":\"2026-01-01T00:00:00.500Z\","
                  + "\"until\":\"2026-01-01T00:05:00.500Z\",\"vanished\":3}}");
      assertThat(api.get("/fleet/v1/machines?all=1").body()).isEqualTo("{}");
      assertThat(api.get("/fleet/v1/rescheduling/resume").status()).isEqualTo(405);
      assertThat(api.request("POST", "/fleet/v1/rescheduling/resume", "").status()).isEqualTo(204);
      assertThat(api.cluster.callers).hasSize(1);
      Reply again = api.request("POST", "/fleet/v1/rescheduling/resume", "");
      assertThat(again.status()).isEqualTo(409);
      assertThat(again.body()).contains("rescheduling is not paused");
    }
  }

  @Test
  void machinesThatAreLostOrHaveLeftAreListedUntilSomebodyRemovesThem() throws Exception {
    try (var api = new ApiUnderTest()) {
      var machine =
          new Machine("m5", "", "10.0.0.1", Map.of("region", "eu"), "2.0.0")
              .withHost("node1", "x86_64");
      api.cluster.add(new Machine("m2", "", "10.0.0.2", Map.of(), "2.0.0"));
      api.cluster.absences =
          new AbsentMachines(
              List.of(), Optional.empty(), List.of(new Departed(machine, false, SINCE)));
      String listed =
          "{\"id\":\"m5\",\"metadata\":{\"region\":\"eu\"},\"primaryIP\":\"10.0.0.1\","
              + "\"hostname\":\"node1\",\"architecture\":\"x86_64\",\"version\":\"2.0.0\","
              + "\"state\":\"lost\",\"since\":\"2026-01-01T00:00:00.500Z\"}";
      assertThat(api.get("/fleet/v1/rescheduling").body())
          .isEqualTo("{\"departed\":[" + listed + "]}");
      assertThat(api.get("/fleet/v1/machines?all=1").body()).contains(listed, "\"id\":\"m2\"");
      assertThat(api.get("/fleet/v1/machines").body()).doesNotContain("m5");
      assertThat(api.get("/fleet/v1/overview").body())
          .contains("\"machines\":{\"lost\":1,\"ready\":1}")
          .contains(
              "{\"kind\":\"machine\",\"machineID\":\"m5\",\"text\":\"lost\","
                  + "\"since\":\"2026-01-01T00:00:00.500Z\"}");
      assertThat(api.request("POST", "/fleet/v1/machines/m5/remove", "").status()).isEqualTo(204);
      assertThat(api.get("/fleet/v1/rescheduling").body()).isEqualTo("{}");
    }
  }
}
