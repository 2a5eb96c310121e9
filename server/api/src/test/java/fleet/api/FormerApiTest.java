package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.state.DesiredState;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The paths, methods and parameters that clients of fleet 1.0 use. */
class FormerApiTest {

  private final ApiUnderTest api = new ApiUnderTest();

  @BeforeEach
  void unit() {
    api.cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
    api.cluster.add(FakeUnits.state("web.service", "m1"));
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  /** Clients that were made from the discovery document add alt=json. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/units",
        "/units/web.service",
        "/state",
        "/state/web.service",
        "/machines",
        "/discovery"
      })
  void theFormerPrefixAndTheParameterOfItsClientsMakeNoDifference(String path) throws IOException {
    Reply reply = api.get("/fleet/v1" + path);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).isEqualTo("application/json");
    assertThat(reply.header("server")).startsWith("fleetd/");
    assertThat(api.get("/v1-alpha" + path).body()).isEqualTo(reply.body());
    assertThat(api.get("/fleet/v1" + path + "?alt=json").body()).isEqualTo(reply.body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT|/units/new.service|{\"options\":[{\"section\":\"Unit\",\"name\":\"A\",\"value\":\"b\"}]}|201",
        "PUT|/units/web.service|{\"desiredState\":\"loaded\"}|204",
        "DELETE|/units/web.service||204",
        "PATCH|/machines|[{\"op\":\"add\",\"path\":\"/m1/metadata/a\",\"value\":{\"value\":\"b\"}}]|204",
      })
  void aChangeIsMadeUnderBothPrefixes(String method, String path, String body, int status)
      throws IOException {
    for (String prefix : new String[] {"/fleet/v1", "/v1-alpha"}) {
      try (ApiUnderTest fresh = new ApiUnderTest()) {
        fresh.cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
        Reply reply =
            fresh.request(
                method, prefix + path, body == null ? "" : body, "Content-Type: application/json");
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.body()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "machineID=m1, true",
    "machineID=m2, false",
    "unitName=web.service, true",
    "unitName=db.service, false",
    "unitName=web.service&machineID=m2, false"
  })
  void statesAreFilteredAsClientsAsk(String query, boolean found) throws IOException {
    assertThat(api.get("/fleet/v1/state?" + query).body().contains("\"web.service\""))
        .isEqualTo(found);
  }
}
