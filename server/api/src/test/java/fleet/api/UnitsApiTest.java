package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.StartResult;
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

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class UnitsApiTest {

  private static final String JSON = "Content-Type: application/json";
  private static final String FILE =
      "\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"/bin/true\"}]";
  private static final String OTHER_FILE =
      "\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"/bin/false\"}]";

  private final ApiUnderTest api;

  UnitsApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
    cluster = api.cluster;
  }

  private final FakeCluster cluster;

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private Reply put(String name, String body) throws IOException {
    return api.request("PUT", "/fleet/v1/units/" + name, body, JSON);
  }

  private DesiredState desired(String name) {
    return cluster.unit(UnitName.of(name)).orElseThrow().unit().desired();
  }

  @Test
  void aUnitIsShownWithItsFieldsInOrder() throws IOException {
    cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
    Reply reply = api.get("/fleet/v1/units/web.service?alt=json");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).isEqualTo("application/json");
    assertThat(reply.header("server")).isEqualTo("fleetd/2.0.0");
    assertThat(reply.body())
        .isEqualTo(
            "{\"currentState\":\"inactive\",\"desiredState\":\"launched\",\"name\":\"web.service\","
                + "\"options\":[{\"name\":\"ExecStart\",\"section\":\"Service\","
                + "\"value\":\"/bin/true\"}],\"by\":\"user root\",\"incarnation\":\"i1\","
                + "\"restartCounter\":0}");
  }

  @Test
  void aGlobalUnitThatIsAskedForByNameSaysOnWhichMachinesItIsToBe() throws IOException {
    cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
    cluster.add(FakeUnits.global("log.service"));
    cluster.runsOn = List.of("m1", "m2");
    assertThat(api.get("/fleet/v1/units/log.service").body())
        .endsWith(",\"runsOn\":[\"m1\",\"m2\"]}");
    assertThat(api.get("/fleet/v1/units/web.service").body()).doesNotContain("runsOn");
    assertThat(api.get("/fleet/v1/units").body()).doesNotContain("runsOn");
  }

  @Test
  void namesWithEscapesAreFound() throws IOException {
    cluster.add(FakeUnits.view("mnt-a\\x2db@1.service", DesiredState.LOADED));
    assertThat(api.get("/v1-alpha/units/mnt-a%5Cx2db@1.service").status()).isEqualTo(200);
    assertThat(api.get("/fleet/v1/units/mnt-a%5cx2db%401.service").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"gone.service", "no-suffix", "a%2Fb.service", "+.service", "%C3%A4.service"})
  void whatDoesNotExistIsNotFound(String name) throws IOException {
    for (String method : new String[] {"GET", "DELETE"}) {
      assertThat(api.request(method, "/fleet/v1/units/" + name, "").error())
          .isEqualTo("404 unit does not exist");
    }
  }

  @Test
  void aUnitIsDestroyedOnce() throws IOException {
    cluster.add(FakeUnits.view("web.service", DesiredState.LOADED));
    Reply reply = api.request("DELETE", "/fleet/v1/units/web.service", "");
    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.body()).isEmpty();
    assertThat(api.request("DELETE", "/fleet/v1/units/web.service", "").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|                                                    |expected 1 Content-Type, got 0",
        "2|application/json                                    |expected 1 Content-Type, got 2",
        "1|text/plain                                          |only acceptable Content-Type is application/json",
      })
  void theContentTypeIsCheckedFirst(int count, String type, String message) throws IOException {
    String[] headers = new String[count];
    java.util.Arrays.fill(headers, "Content-Type: " + type);
    assertThat(api.request("PUT", "/fleet/v1/units/bad", "no json", headers).error())
        .isEqualTo("415 " + message);
  }

  @Test
  void aContentTypeMayHaveParameters() throws IOException {
    assertThat(
            api.request(
                    "PUT",
                    "/fleet/v1/units/web.service",
                    "{" + FILE + "}",
                    "Content-Type: application/json ; charset=utf-8")
                .status())
        .isEqualTo(201);
  }

  @Test
  void severalUnitsArePutInOneRequestAndThoseRefusedHinderNoOthers() throws IOException {
    cluster.add(FakeUnits.view("old.service", DesiredState.INACTIVE));
    Reply reply =
        api.request(
            "PUT",
            "/fleet/v1/units",
            "{\"units\":[{\"name\":\"a.service\",\"desiredState\":\"launched\","
                + FILE
                + "},{\"name\":\"none.service\",\"desiredState\":\"loaded\"},"
                + "{\"name\":\"no-suffix\","
                + FILE
                + "},{\"name\":\"old.service\",\"desiredState\":\"loaded\"},"
                + "{\"name\":\"a.service\","
                + OTHER_FILE
                + "},{"
                + FILE
                + "}]}",
            JSON);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body())
        .startsWith(
            "{\"results\":[{\"name\":\"a.service\",\"status\":201},"
                + "{\"name\":\"none.service\",\"status\":409,"
                + "\"message\":\"unit does not exist and options field empty\"},"
                + "{\"name\":\"no-suffix\",\"status\":400,\"message\":")
        .contains(
            "{\"name\":\"old.service\",\"status\":204},{\"name\":\"a.service\",\"status\":400,"
                + "\"message\":\"named twice in one request\"},{\"status\":400,")
        .endsWith("]}");
    assertThat(desired("a.service")).isEqualTo(DesiredState.LAUNCHED);
    assertThat(desired("old.service")).isEqualTo(DesiredState.LOADED);
  }

  @Test
  void noUnitsAreQuicklyPut() throws IOException {
    assertThat(api.request("PUT", "/fleet/v1/units", "{}", JSON).body()).isEqualTo("{}");
    assertThat(api.request("PUT", "/fleet/v1/units", "[]", JSON).status()).isEqualTo(400);
    assertThat(api.request("PUT", "/fleet/v1/units", "{}").status()).isEqualTo(415);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "[]", "{\"name\":[]}", "{\"options\":7}", "{"})
  void aBodyOfAnotherShapeIsRefused(String body) throws IOException {
    assertThat(put("web.service", body).error()).startsWith("400 unable to decode body: ");
  }

  @Test
  void aNameThatDiffersFromTheUrlIsRefused() throws IOException {
    assertThat(put("a.service", "{\"name\":\"b.service\"}").error())
        .isEqualTo(
            "400 name in URL \"a.service\" differs from unit name in request body \"b.service\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "web               |unit name must contain \".\"",
        "web.              |unit name cannot end in \".\"",
        "web.sock          |invalid unit type: \"sock\"",
        "web@1.mount       |invalid unit type for template: \"mount\"",
        "we%20b.service    |invalid character ' ' in unit name",
        "@web.service      |unit name cannot start in \"@\"",
        ".ghost.service    |unit name cannot start in \".\"",
      })
  void badNamesAreRefused(String name, String message) throws IOException {
    assertThat(put(name, "{}").error()).isEqualTo("400 " + message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fleet.service", "fleet.socket", "fleet-isolation.service"})
  void noUnitHasTheNameOfAPartOfFleet(String name) throws IOException {
    String unit =
        "{\"desiredState\":\"launched\",\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"/bin/true\"}]}";
    assertThat(put(name, unit).error())
        .isEqualTo("400 unit name \"" + name + "\" is that of a part of fleet: choose another");
  }

  @Test
  void aNewUnitNeedsOptions() throws IOException {
    assertThat(put("web.service", "{\"desiredState\":\"launched\"}").error())
        .isEqualTo("409 unit does not exist and options field empty");
    assertThat(put("web.service", "{\"options\":[]}").status()).isEqualTo(409);
  }

  @Test
  void optionsThatExcludeEachOtherAreRefusedOnCreateAndOnReplace() throws IOException {
    String bad =
        "{\"options\":[{\"section\":\"X-Fleet\",\"name\":\"MachineID\",\"value\":\"m\"},"
            + "{\"section\":\"X-Fleet\",\"name\":\"Global\",\"value\":\"true\"}]}";
    String message = "400 MachineID cannot be used with Global";
    assertThat(put("web.service", bad).error()).isEqualTo(message);
    cluster.add(FakeUnits.view("web.service", DesiredState.LOADED));
    assertThat(put("web.service", bad).error()).isEqualTo(message);
    assertThat(desired("web.service")).isEqualTo(DesiredState.LOADED);
  }

  @Test
  void optionsAreJudgedWithTheSpecifiersOfTheUnitReplaced() throws IOException {
    String body =
        "{\"options\":[{\"section\":\"X-Fleet\",\"name\":\"MachineOf\",\"value\":\"db@%i\"}]}";
    assertThat(put("web@1.service", body).error())
        .isEqualTo(
            "400 with the specifiers of web@1.service replaced: MachineOf \"db@1\" can match no"
                + " unit: no unit is named so: did you mean db@1.service?");
    assertThat(put("web@.service", body).status()).isEqualTo(201);
  }

  @Test
  void optionsThatAreNoLinesOfAUnitFileAreRefused() throws IOException {
    String body =
        "{\"options\":[{\"section\":\"Unit\",\"name\":\"Description\",\"value\":\"a\\nB=c\"}]}";
    assertThat(put("web.service", body).error())
        .startsWith("400 option \"Description\" of section [Unit] cannot be written");
  }

  @Test
  void aUnitIsCreatedReplacedAndUpdated() throws IOException {
    Reply created = put("web.service", "{\"name\":\"web.service\"," + FILE + "}");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.body()).isEmpty();
    assertThat(desired("web.service")).isEqualTo(DesiredState.INACTIVE);

    assertThat(put("web.service", "{" + FILE + "}").error())
        .isEqualTo("409 must provide DesiredState to update existing unit");
    assertThat(put("web.service", "{}").status()).isEqualTo(409);
    assertThat(put("web.service", "{\"desiredState\":\"launched\"}").status()).isEqualTo(204);
    assertThat(desired("web.service")).isEqualTo(DesiredState.LAUNCHED);

    assertThat(put("web.service", "{\"desiredState\":\"loaded\"," + OTHER_FILE + "}").status())
        .isEqualTo(201);
    assertThat(desired("web.service")).isEqualTo(DesiredState.LOADED);
    assertThat(api.get("/fleet/v1/units/web.service").body()).contains("/bin/false");
  }

  @Test
  void anUnknownDesiredStateIsRefusedAndChangesNothing() throws IOException {
    String message = "400 invalid desiredState \"running\": expected inactive, loaded or launched";
    assertThat(put("web.service", "{\"desiredState\":\"running\"," + FILE + "}").error())
        .isEqualTo(message);
    cluster.add(FakeUnits.view("web.service", DesiredState.LOADED));
    assertThat(put("web.service", "{\"desiredState\":\"running\"}").error()).isEqualTo(message);
    assertThat(desired("web.service")).isEqualTo(DesiredState.LOADED);
  }

  @Test
  void templatesAreKeptAndNeverActivated() throws IOException {
    String message = "400 cannot activate template \"web@.service\"";
    assertThat(put("web@.service", "{\"desiredState\":\"launched\"," + FILE + "}").error())
        .isEqualTo(message);
    assertThat(put("web@.service", "{" + FILE + "}").status()).isEqualTo(201);
    assertThat(put("web@.service", "{\"desiredState\":\"loaded\"}").error()).isEqualTo(message);
    assertThat(put("web@.service", "{\"desiredState\":\"inactive\"}").status()).isEqualTo(204);
  }

  @Test
  void bodiesAndUnitsOfEndlessSizeAreRefusedInOneLine() throws IOException {
    Reply declared =
        api.request("PUT", "/fleet/v1/units/web.service", "", JSON, "Content-Length: 3000000");
    assertThat(declared.error())
        .isEqualTo("413 request body is too large: at most 2097152 bytes are accepted");

    String line =
        "{\"section\":\"Unit\",\"name\":\"Documentation\",\"value\":\"%s\"},"
            .formatted("x".repeat(1900));
    String options = line.repeat(400);
    Reply unit =
        put("web.service", "{\"options\":[" + options.substring(0, options.length() - 1) + "]}");
    assertThat(unit.status()).isEqualTo(400);
    assertThat(unit.error()).contains("524288").doesNotContain("\n");
  }

  @Test
  void aChunkedBodyIsBoundedToo() throws IOException {
    try (RawConnection wire = api.connect()) {
      wire.ask("PUT", "/fleet/v1/units/web.service", "", JSON, "Transfer-Encoding: chunked");
      String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
      for (int i = 0; i < 32; i++) {
        wire.send(chunk);
      }
      // The byte too much is the last one: what fleetd left unread would break the connection.
      wire.send("1\r\n \r\n0\r\n\r\n");
      assertThat(wire.read().status()).isEqualTo(413);
    }
  }

  @ParameterizedTest
  @CsvSource({"restart,ACCEPTED,202", "start,ACCEPTED,202", "start,RUNNING,200"})
  void aUnitIsRestartedAndStartedAgain(String action, StartResult result, int status)
      throws IOException {
    cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
    cluster.startResult = result;
    Reply reply = api.request("POST", "/fleet/v1/units/web.service/" + action, "");
    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.body()).isEmpty();
  }

  @Test
  void whatCannotBeRestartedSaysWhy() throws IOException {
    assertThat(api.request("POST", "/fleet/v1/units/web.service/restart", "").error())
        .isEqualTo("404 unit does not exist");
    cluster.add(FakeUnits.view("web.service", DesiredState.LOADED));
    cluster.startResult = StartResult.NOT_LAUNCHED;
    assertThat(api.request("POST", "/fleet/v1/units/web.service/start", "").error())
        .isEqualTo(
            "409 the desired state of web.service is not launched but loaded: start it first");
    assertThat(api.request("GET", "/fleet/v1/units/web.service/start", "").error())
        .isEqualTo("405 only POST supported against this resource");
  }

  @Test
  void changesAreMadeInTheNameOfTheSocketsPeer() throws IOException {
    put("web.service", "{" + FILE + "}");
    assertThat(cluster.callers.getFirst().name())
        .isEqualTo("user " + System.getProperty("user.name"));
  }

  @Test
  void pagesOfOtherSitesChangeNothing() throws IOException {
    cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
    for (String origin : new String[] {"http://evil.example", "null", "http://%"}) {
      assertThat(
              api.request("POST", "/fleet/v1/units/web.service/restart", "", "Origin: " + origin)
                  .status())
          .isEqualTo(403);
    }
    assertThat(cluster.callers).isEmpty();
    assertThat(
            api.request("POST", "/fleet/v1/units/web.service/restart", "", "Origin: http://test")
                .status())
        .isEqualTo(202);
  }

  @Test
  void aClusterThatCannotAnswerIsUnavailable() throws IOException {
    cluster.unavailable = Optional.of("the embedded registry is closed");
    assertThat(api.get("/fleet/v1/units").error()).isEqualTo("503 the embedded registry is closed");
    assertThat(put("web.service", "{" + FILE + "}").error()).startsWith("503 ");
    assertThat(api.get("/fleet/v1/events").error()).startsWith("503 ");
  }
}
