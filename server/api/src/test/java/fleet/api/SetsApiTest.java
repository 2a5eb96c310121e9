package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Units come into sets, and are destroyed if they are still in one. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class SetsApiTest {

  private static final String JSON = "Content-Type: application/json";
  private static final String PATH = "/fleet/v1/units/web.service";
  private static final UnitName WEB = UnitName.of("web.service");

  private final ApiUnderTest api;

  SetsApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private Reply put(String body) throws IOException {
    return api.request("PUT", PATH, body, JSON);
  }

  private String set() {
    return api.cluster.unit(WEB).orElseThrow().set();
  }

  @Test
  void aUnitIsCreatedInASetAndMovesToAnotherByTheSetAlone() throws IOException {
    assertThat(
            put("{\"set\":\"shop\",\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\","
                    + "\"value\":\"/bin/true\"}]}")
                .status())
        .isEqualTo(201);
    assertThat(set()).isEqualTo("shop");
    assertThat(put("{\"desiredState\":\"launched\"}").status()).isEqualTo(204);
    assertThat(set()).isEqualTo("shop");
    assertThat(put("{\"set\":\"mall\"}").status()).isEqualTo(204);
    assertThat(api.get(PATH).body()).endsWith(",\"set\":\"mall\"}");
    assertThat(api.get("/fleet/v1/units").body()).contains("\"set\":\"mall\"");
    assertThat(put("{\"set\":\"-\"}").status()).isEqualTo(204);
    assertThat(api.get(PATH).body()).doesNotContain("\"set\"");
    assertThat(api.cluster.unit(WEB).orElseThrow().unit().desired())
        .isEqualTo(DesiredState.LAUNCHED);
  }

  @Test
  void aUnitWithoutASetSaysNothingOfIt() throws IOException {
    api.cluster.add(FakeUnits.view("web.service", DesiredState.LOADED));
    assertThat(api.get(PATH).body()).doesNotContain("\"set\"");
    assertThat(put("{\"set\":\"\"}").error())
        .isEqualTo("409 must provide DesiredState to update existing unit");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-shop", "my shop", "a/b", "_shop"})
  void anInvalidNameIsRefused(String name) throws IOException {
    api.cluster.add(FakeUnits.view("web.service", DesiredState.LOADED));
    String refusal =
        "400 set \"%s\": a name has up to 63 letters, digits, dots, dashes and underscores, and"
            + " begins with a letter or digit";
    assertThat(put("{\"set\":\"" + name + "\"}").error()).isEqualTo(refusal.formatted(name));
    assertThat(put("{\"set\":\"" + "x".repeat(64) + "\"}").status()).isEqualTo(400);
    assertThat(set()).isEmpty();
    assertThat(api.request("DELETE", PATH + "?set=a%2Fb", "").error())
        .isEqualTo(refusal.formatted("a/b"));
    assertThat(api.request("DELETE", PATH + "?set=", "").status()).isEqualTo(400);
  }

  @Test
  void aUnitThatIsNotAsTheRequestSaysIsNotDestroyed() throws IOException {
    api.cluster.add(FakeUnits.inSet(FakeUnits.view("web.service", DesiredState.LOADED), "shop"));
    assertThat(api.request("DELETE", PATH + "?set=mall", "").status()).isEqualTo(409);
    assertThat(api.request("DELETE", PATH + "?set=shop&incarnation=i9", "").status())
        .isEqualTo(409);
    assertThat(set()).isEqualTo("shop");
    assertThat(api.request("DELETE", PATH + "?set=shop&incarnation=i1", "").status())
        .isEqualTo(204);
    assertThat(api.request("DELETE", PATH + "?set=shop", "").status()).isEqualTo(404);
  }
}
