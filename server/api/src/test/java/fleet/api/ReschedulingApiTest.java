package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines;
import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Pause;
import fleet.cluster.AbsentMachines.Standing;
import java.time.Instant;
import java.util.List;
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
              List.of(new Absent("m1", 2, Standing.AWAITED), new Absent("m2", 1, Standing.HELD)),
              Optional.of(new Pause(SINCE, SINCE.plusSeconds(300), 3, 6)));
      assertThat(api.get("/fleet/v1/rescheduling").body())
          .isEqualTo(
              "{\"absent\":[{\"id\":\"m1\",\"standing\":\"awaited\",\"units\":2},"
                  + "{\"id\":\"m2\",\"standing\":\"held\",\"units\":1}],"
                  + "\"pause\":{\"of\":6,\"reason\":\"3 of 6 machines vanished at once, so units of"
                  + " lost machines stay where they are until 2026-01-01T00:05:00Z or `fleetctl"
                  + " resume`\",\"since\":\"2026-01-01T00:00:00.500Z\","
                  + "\"until\":\"2026-01-01T00:05:00.500Z\",\"vanished\":3}}");
      assertThat(api.get("/fleet/v1/rescheduling/resume").status()).isEqualTo(405);
      assertThat(api.request("POST", "/fleet/v1/rescheduling/resume", "").status()).isEqualTo(204);
      assertThat(api.cluster.callers).hasSize(1);
      Reply again = api.request("POST", "/fleet/v1/rescheduling/resume", "");
      assertThat(again.status()).isEqualTo(409);
      assertThat(again.body()).contains("rescheduling is not paused");
    }
  }
}
