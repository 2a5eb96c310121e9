package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Settings of the whole cluster. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class ConfigApiTest {

  private static final String JSON = "Content-Type: application/json";
  private static final String CONFIG = "/fleet/v1/config";
  private static final String STRATEGY = CONFIG + "/scheduler.strategy";

  private final ApiUnderTest api;

  ConfigApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  @Test
  void settingsAreListedAndReadAndSet() throws IOException {
    String spread =
        "{\"name\":\"scheduler.strategy\",\"value\":\"spread\",\"usual\":\"least-loaded\"}";
    assertThat(api.get(CONFIG).body()).isEqualTo("{\"settings\":[" + spread + "]}");
    assertThat(api.get(STRATEGY).body()).isEqualTo(spread);

    assertThat(api.request("PUT", STRATEGY, "{\"value\":\"binpack\"}", JSON).status())
        .isEqualTo(204);

    assertThat(api.get(STRATEGY).body())
        .isEqualTo(
            "{\"name\":\"scheduler.strategy\",\"value\":\"binpack\",\"usual\":\"least-loaded\","
                + "\"by\":\"somebody\"}");
    assertThat(api.cluster.callers.getFirst().name()).startsWith("user ");
    assertThat(api.request("DELETE", STRATEGY, "").status()).isEqualTo(204);
    assertThat(api.get(STRATEGY).body()).contains("\"value\":\"least-loaded\"");
  }

  @Test
  void whatThereIsNotIsRefusedWithWhatThereIs() throws IOException {
    assertThat(api.get(CONFIG + "/strategy").error())
        .isEqualTo("404 there is no setting \"strategy\": there are scheduler.strategy");
    assertThat(api.request("PUT", CONFIG + "/strategy", "{\"value\":\"x\"}", JSON).error())
        .isEqualTo("400 there is no setting \"strategy\"");
    assertThat(api.request("DELETE", CONFIG + "/strategy", "").error())
        .isEqualTo("404 there is no setting \"strategy\"");
    assertThat(api.request("POST", STRATEGY, "").status()).isEqualTo(405);
    assertThat(api.request("PUT", STRATEGY, "{\"value\":\"x\"}").status()).isEqualTo(415);
  }
}
