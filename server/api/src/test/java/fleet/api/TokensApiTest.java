package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class TokensApiTest {

  private static final String JSON = "Content-Type: application/json";
  private static final String TOKENS = "/fleet/v1/tokens";

  private final ApiUnderTest api;

  TokensApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private Reply create(String body) throws IOException {
    return api.request("POST", TOKENS, body, JSON);
  }

  @Test
  void aTokenIsMadeAsAskedAndShownOnce() throws IOException {
    Reply made = create("{\"role\":\"server\",\"ttlSeconds\":3600}");

    String shown =
        "\"by\":\"user root\",\"created\":\"2026-03-01T10:00:00Z\""
            + ",\"expires\":\"2026-03-01T11:00:00Z\",\"id\":\"t1\",\"role\":\"server\"";
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body()).isEqualTo("{" + shown + ",\"token\":\"FLEET-1-t1\",\"uses\":1}");
    assertThat(api.get(TOKENS).body()).isEqualTo("{\"tokens\":[{" + shown + ",\"uses\":1}]}");
    assertThat(api.tokens.callers.getFirst().name()).startsWith("user ");
  }

  @Test
  void aTokenIsForAgentsAndADayWhereNothingElseIsSaid() throws IOException {
    assertThat(create("{}").body()).contains("\"role\":\"agent\"", "\"2026-03-02T10:00:00Z\"");
  }

  @Test
  void aTokenIsForAsManyMachinesAsIsAskedOrForOne() throws IOException {
    assertThat(create("{\"uses\":3}").body()).contains("\"uses\":3");
    assertThat(create("{\"machine\":\"m7\"}").body()).contains("\"machine\":\"m7\"", "\"uses\":1");
    assertThat(create("{}").body()).doesNotContain("uses", "machine");
  }

  @Test
  void aRevokedTokenIsGone() throws IOException {
    create("{}");

    assertThat(api.request("DELETE", TOKENS + "/t1", "").status()).isEqualTo(204);

    assertThat(api.get(TOKENS).body()).isEqualTo("{}");
    assertThat(api.request("DELETE", TOKENS + "/t1", "").error())
        .isEqualTo("404 token does not exist");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"role\":\"king\"}|400 invalid role \"king\": expect agent or server",
        "{\"ttlSeconds\":0}|400 too short",
      })
  void whatMakesNoSenseIsRefused(String body, String error) throws IOException {
    assertThat(create(body).error()).isEqualTo(error);
  }

  @Test
  void otherMethodsAreRefused() throws IOException {
    assertThat(api.request("PUT", TOKENS, "{}", JSON).error())
        .isEqualTo("405 only GET and POST supported against this resource");
    assertThat(api.get(TOKENS + "/t1").error())
        .isEqualTo("405 only DELETE supported against this resource");
    assertThat(api.request("POST", TOKENS, "{}").status()).isEqualTo(415);
  }
}
