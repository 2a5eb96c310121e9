package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The authority is shown and replaced by the API, whichever fleetd is asked. */
class AuthorityApiTest {

  private static Reply rotate(ApiUnderTest api, String query) throws IOException {
    return api.request("POST", "/fleet/v1/ca" + query, "");
  }

  @ParameterizedTest
  @EnumSource(ApiUnderTest.Asked.class)
  void aRotationIsBegunAndGoneOnWith(ApiUnderTest.Asked asked) throws IOException {
    try (ApiUnderTest api = new ApiUnderTest(asked)) {
      assertThat(api.get("/fleet/v1/ca").body())
          .isEqualTo(
              "{\"authorities\":[{\"machines\":1,\"sha256\":\"%s\",".formatted("ab".repeat(32))
                  + "\"since\":\"2026-03-01T10:00:00Z\",\"standing\":\"current\","
                  + "\"until\":\"2056-03-01T10:00:00Z\"}],"
                  + "\"nextEnd\":\"2056-03-01T10:00:00Z\",\"serverKey\":true}");
      assertThat(rotate(api, "").status()).isEqualTo(201);
      assertThat(rotate(api, "").status()).isEqualTo(200);
      Reply finishing = rotate(api, "?finish=1");
      assertThat(finishing.status()).isEqualTo(201);
      assertThat(finishing.body())
          .contains(
              "\"machines\":[{\"awaited\":true,\"machine\":\"m2\",\"present\":false,\"role\":\"agent\"}]",
              "\"finish\":true",
              "\"stage\":\"introduced\"");
    }
  }

  @ParameterizedTest
  @EnumSource(ApiUnderTest.Asked.class)
  void otherMethodsAreRefused(ApiUnderTest.Asked asked) throws IOException {
    try (ApiUnderTest api = new ApiUnderTest(asked)) {
      assertThat(api.request("DELETE", "/fleet/v1/ca", "").error())
          .isEqualTo("405 only GET and POST supported against this resource");
    }
  }

  @ParameterizedTest
  @EnumSource(ApiUnderTest.Asked.class)
  void certificatesForEtcdAreMade(ApiUnderTest.Asked asked) throws IOException {
    try (ApiUnderTest api = new ApiUnderTest(asked)) {
      String path = "/fleet/v1/etcd-certificates";
      String json = "Content-Type: application/json";
      Reply made = api.request("POST", path, "{\"names\":[\"one\"]}", json);
      assertThat(made.status()).isEqualTo(201);
      assertThat(made.body()).contains("\"certificate\":\"crt of [one]\"", "\"key\":\"key\"");
      assertThat(api.request("POST", path, "{}", json).error()).isEqualTo("400 no names");
      assertThat(api.get(path).error()).isEqualTo("405 only POST supported against this resource");
    }
  }
}
