package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.PlacementReasons;
import fleet.cluster.UnitView;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Why units are where they are. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class WhyApiTest {

  private static final UnitName WEB = UnitName.of("web.service");

  private final ApiUnderTest api;

  WhyApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  @Test
  void aUnitThatWaitsSaysWhatIsInTheWayAndWhatWouldHelp() throws IOException {
    api.cluster.reasons =
        Optional.of(
            new PlacementReasons(
                WEB,
                PlacementReasons.Standing.WAITS,
                Optional.empty(),
                "the only machine lacks region=eu",
                1,
                List.of(
                    new PlacementReasons.Obstacle(
                        "MachineMetadata",
                        "the only machine lacks region=eu",
                        new TreeMap<>(Map.of("m1", "lacks region=eu")))),
                Optional.of(
                    new PlacementReasons.Miss(
                        "m1", List.of("lacks region=eu"), "machine m1 gets region=eu")),
                List.of(),
                List.of()));

    assertThat(api.get("/fleet/v1/units/web.service/why").body())
        .isEqualTo(
            "{\"unit\":\"web.service\",\"standing\":\"waits\",\"reason\":\"the only machine lacks"
                + " region=eu\",\"machines\":1,\"obstacles\":[{\"rule\":\"MachineMetadata\",\"text\":\"the"
                + " only machine lacks"
                + " region=eu\",\"machines\":[{\"machineID\":\"m1\",\"reason\":\"lacks"
                + " region=eu\"}]}],\"nearest\":{\"machineID\":\"m1\",\"reasons\":[\"lacks"
                + " region=eu\"],\"change\":\"machine m1 gets region=eu\"}}");
  }

  @Test
  void aUnitThatIsPlacedSaysWhatItsMachineDoesBetter() throws IOException {
    api.cluster.reasons =
        Optional.of(
            new PlacementReasons(
                WEB,
                PlacementReasons.Standing.PLACED,
                Optional.of("m1"),
                "least loaded",
                2,
                List.of(),
                Optional.empty(),
                List.of(
                    new PlacementReasons.Contender("m1", "least loaded"),
                    new PlacementReasons.Contender("m2", "has 1 unit")),
                List.of()));

    assertThat(api.get("/fleet/v1/units/web.service/why").body())
        .isEqualTo(
            "{\"unit\":\"web.service\",\"standing\":\"placed\",\"machineID\":\"m1\",\"reason\":\"least"
                + " loaded\",\"machines\":2,\"contenders\":[{\"machineID\":\"m1\",\"reason\":\"least"
                + " loaded\"},{\"machineID\":\"m2\",\"reason\":\"has 1 unit\"}]}");
  }

  @Test
  void aUnitThatIsNotThereHasNoReasons() throws IOException {
    assertThat(api.get("/fleet/v1/units/web.service/why").error())
        .isEqualTo("404 unit does not exist");
    assertThat(api.get("/fleet/v1/units/bad/why").error()).isEqualTo("404 unit does not exist");
    assertThat(api.request("PUT", "/fleet/v1/units/web.service/why", "{}").status()).isEqualTo(405);
  }

  @Test
  void theUnitItselfSaysItInOneLine() throws IOException {
    UnitView view = FakeUnits.view("web.service", DesiredState.LAUNCHED);
    api.cluster.add(
        new UnitView(
            view.unit(),
            view.current(),
            Optional.of("m1"),
            false,
            "",
            false,
            "least loaded",
            Optional.empty(),
            ""));

    assertThat(api.get("/fleet/v1/units/web.service").body())
        .endsWith("\"reason\":\"least loaded\"}");
  }
}
