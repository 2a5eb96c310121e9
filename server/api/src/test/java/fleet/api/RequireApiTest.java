package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Intent;
import fleet.cluster.PlacementReasons;
import fleet.cluster.PutResult;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requirements on machines beside those in the unit's file. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class RequireApiTest {

  private static final String JSON = "Content-Type: application/json";
  private static final UnitName WEB = UnitName.of("web.service");
  private static final String EU = "MachineMetadata=region=eu";
  private static final String FILE =
      "\"options\":[{\"section\":\"X-Fleet\",\"name\":\"MachineMetadata\",\"value\":\"disk=ssd\"}]";
  private static final String OTHER_FILE =
      "\"options\":[{\"section\":\"X-Fleet\",\"name\":\"Affinity\",\"value\":\"region==us\"}]";

  private final ApiUnderTest api;

  RequireApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private Reply put(String body) throws IOException {
    return api.request("PUT", "/fleet/v1/units/web.service", body, JSON);
  }

  private static String wanted(String desired, String... require) {
    return "{\"desiredState\":\""
        + desired
        + "\",\"require\":[\""
        + String.join("\",\"", require)
        + "\"]}";
  }

  private static String created(String desired, String require) {
    return wanted(desired, require).replaceFirst("\\{", "{" + FILE + ",");
  }

  private List<String> asked() {
    return api.cluster.unit(WEB).orElseThrow().unit().require();
  }

  @Test
  void itIsSetAndReadBack() throws IOException {
    assertThat(put(created("launched", EU)).status()).isEqualTo(201);
    assertThat(asked()).containsExactly(EU);
    assertThat(api.get("/fleet/v1/units/web.service").body())
        .contains("\"require\":[\"" + EU + "\"]");
    assertThat(api.get("/fleet/v1/units").body()).contains("\"require\":[\"" + EU + "\"]");
    assertThat(put(wanted("launched", EU)).status()).isEqualTo(204);
    assertThat(put("{\"desiredState\":\"loaded\"}").status()).isEqualTo(204);
    assertThat(asked()).containsExactly(EU);
  }

  @Test
  void aUnitThatIsThereTakesIt() throws IOException {
    api.cluster.add(FakeUnits.view("web.service", DesiredState.INACTIVE));
    assertThat(put(wanted("loaded", EU, "Memory=1G")).status()).isEqualTo(204);
    assertThat(asked()).containsExactly(EU, "Memory=1G");
  }

  @Test
  void severalUnitsAreJudgedEachByItself() throws IOException {
    api.cluster.add(FakeUnits.view("web.service", DesiredState.INACTIVE));
    api.cluster.add(FakeUnits.view("db.service", DesiredState.INACTIVE));
    String body =
        "{\"units\":[%s,%s]}"
            .formatted(
                wanted("launched", EU).replaceFirst("\\{", "{\"name\":\"web.service\","),
                wanted("launched", "Memry=1G").replaceFirst("\\{", "{\"name\":\"db.service\","));
    assertThat(api.request("PUT", "/fleet/v1/units", body, JSON).body())
        .isEqualTo(
            "{\"results\":[{\"name\":\"web.service\",\"status\":204},{\"name\":\"db.service\","
                + "\"status\":400,\"message\":\"extra requirement \\\"Memry=1G\\\": [X-Fleet] has no"
                + " option \\\"Memry\\\": did you mean Memory?\"}]}");
    assertThat(asked()).containsExactly(EU);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Memory               | extra requirement \"Memory\": expect OPTION=VALUE, such as MachineMetadata=region=eu",
        "Memry=1G             | extra requirement \"Memry=1G\": [X-Fleet] has no option \"Memry\": did you mean Memory?",
        "Global=true          | extra requirement \"Global=true\": whether a unit is global stands in its file and nowhere else",
        "Ports=http           | with the extra requirements Ports=http: Ports \"http\": it is no port: write such as 80, 127.0.0.1:80 or 53/udp, with blanks or commas between several",
        "Affinity=disk==hdd   | with the extra requirements Affinity=disk==hdd: unresolvable requirements: MachineMetadata \"disk=ssd\" and Affinity \"disk==hdd\" exclude each other",
      })
  void whatDoesNotGoIsRefusedWithTheReason(String require, String message) throws IOException {
    assertThat(put(created("launched", require)).error()).isEqualTo("400 " + message);
    assertThat(api.cluster.unit(WEB)).isEmpty();
    assertThat(put("{" + FILE + "}").status()).isEqualTo(201);
    assertThat(put(wanted("launched", require)).error()).isEqualTo("400 " + message);
    assertThat(asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"desiredState\":\"inactive\",", ""})
  void itNeedsADesiredStateOnAMachine(String desired) throws IOException {
    String message =
        "400 require goes with the desired states loaded and launched, and is kept until the unit"
            + " is inactive";
    assertThat(put("{" + desired + FILE + ",\"require\":[\"" + EU + "\"]}").error())
        .isEqualTo(message);
    api.cluster.add(FakeUnits.view("web.service", DesiredState.LOADED));
    assertThat(put("{" + desired + "\"require\":[\"" + EU + "\"]}").error()).isEqualTo(message);
  }

  @Test
  void aUnitThatHasAPlaceByOthersIsToBeUnloadedFirst() throws IOException {
    assertThat(put(created("launched", EU)).status()).isEqualTo(201);
    String message =
        "409 web.service is launched with other extra requirements (" + EU + "): unload it first";
    assertThat(put(wanted("launched", "Memory=1G")).error()).isEqualTo(message);
    assertThat(put(wanted("loaded", EU, "Memory=1G")).error()).isEqualTo(message);
    assertThat(put(created("loaded", "Memory=1G")).error()).isEqualTo(message);
    String plan = "{\"units\":[" + wanted("launched", "Memory=1G") + "]}";
    assertThat(
            api.request(
                    "POST",
                    "/fleet/v1/plan",
                    plan.replace("[{", "[{\"name\":\"web.service\","),
                    JSON)
                .error())
        .isEqualTo(message);
    assertThat(asked()).containsExactly(EU);
    api.cluster.add(FakeUnits.view("web.service", DesiredState.LOADED));
    assertThat(put(wanted("launched", EU)).error())
        .isEqualTo("409 web.service is loaded without extra requirements: unload it first");
  }

  @Test
  void whereSomebodyWasFasterTheSameIsSaid() throws IOException {
    assertThat(put("{" + FILE + "}").status()).isEqualTo(201);
    api.cluster.units.refusal = Optional.of(PutResult.OTHER_REQUIREMENTS);
    assertThat(put(wanted("launched", EU)).error())
        .isEqualTo("409 web.service is inactive without extra requirements: unload it first");
  }

  @Test
  void anotherContentMustGoWithWhatIsAskedAlready() throws IOException {
    assertThat(put(created("launched", EU)).status()).isEqualTo(201);
    assertThat(put("{\"desiredState\":\"launched\"," + OTHER_FILE + "}").error())
        .isEqualTo(
            "400 with the extra requirements "
                + EU
                + ": unresolvable requirements: MachineMetadata \"region=eu\" and Affinity"
                + " \"region==us\" exclude each other");
    assertThat(put("{\"desiredState\":\"inactive\"," + OTHER_FILE + "}").status()).isEqualTo(201);
  }

  @Test
  void aPlanTakesItToo() throws IOException {
    String plan =
        "{\"units\":["
            + created("launched", EU).replaceFirst("\\{", "{\"name\":\"web.service\",")
            + "]}";
    assertThat(api.request("POST", "/fleet/v1/plan", plan, JSON).body()).isEqualTo("{}");
    assertThat(((Intent.Put) api.cluster.intents.getFirst()).puts().getFirst().require())
        .containsExactly(EU);
  }

  @Test
  void whyNamesIt() throws IOException {
    api.cluster.reasons =
        Optional.of(
            new PlacementReasons(
                WEB,
                PlacementReasons.Standing.PLACED,
                Optional.of("m1"),
                "least loaded",
                1,
                List.of(),
                Optional.empty(),
                List.of(),
                List.of(EU)));
    assertThat(api.get("/fleet/v1/units/web.service/why").body())
        .endsWith("\"require\":[\"" + EU + "\"]}");
  }
}
