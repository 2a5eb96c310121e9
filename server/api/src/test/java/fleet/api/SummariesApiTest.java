package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.state.DesiredState;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class SummariesApiTest {

  private static final String STATE =
      "{\"machineID\":\"%s\",\"systemdActiveState\":\"active\",\"systemdSubState\":\"running\","
          + "\"restarts\":2,\"since\":\"2026-01-01T00:00:00Z\"}";

  private final ApiUnderTest api;

  SummariesApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private Reply summaries() throws IOException {
    return api.get("/fleet/v1/unit-summaries");
  }

  @Test
  void anEmptyClusterHasNoLines() throws IOException {
    assertThat(summaries().status()).isEqualTo(200);
    assertThat(summaries().header("content-type")).isEqualTo("application/x-ndjson");
    assertThat(summaries().body()).isEmpty();
  }

  @Test
  void eachUnitHasItsStates() throws IOException {
    api.cluster.add(FakeUnits.view("b.service", DesiredState.LAUNCHED));
    api.cluster.add(FakeUnits.global("c.service"));
    api.cluster.add(FakeUnits.view("e.service", DesiredState.INACTIVE));
    // A unit that was destroyed may still stop.
    for (String unit : List.of("a.service", "b.service", "c.service", "d.service")) {
      api.cluster.add(FakeUnits.state(unit, "m1"));
    }
    api.cluster.add(FakeUnits.state("c.service", "m2"));
    assertThat(summaries().body())
        .isEqualTo(
            "{\"units\":["
                + unit("launched", "b", "", STATE.formatted("m1"))
                + ","
                + unit(
                    "launched",
                    "c",
                    "\"global\":true,",
                    STATE.formatted("m1") + "," + STATE.formatted("m2"))
                + ",{\"desiredState\":\"inactive\",\"name\":\"e.service\","
                + "\"by\":\"user root\",\"restartCounter\":0}]}\n");
  }

  private static String unit(String desired, String name, String global, String states) {
    return ("{\"desiredState\":\"%s\",\"name\":\"%s.service\",\"by\":\"user root\",%s"
            + "\"restartCounter\":0,\"states\":[%s]}")
        .formatted(desired, name, global, states);
  }

  @Test
  void linesAreOfSomeUnitsAndHaveEachOnce() throws IOException {
    List<String> names =
        IntStream.range(0, 234).mapToObj("u%03d.service"::formatted).sorted().toList();
    for (String name : names) {
      api.cluster.add(FakeUnits.view(name, DesiredState.LAUNCHED));
    }
    String body = summaries().body();
    assertThat(body.lines()).hasSize(3).allMatch(line -> line.startsWith("{\"units\":[{"));
    assertThat(Pattern.compile("\"name\":\"([^\"]*)\"").matcher(body).results())
        .extracting(found -> found.group(1))
        .isEqualTo(names);
  }
}
