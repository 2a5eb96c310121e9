package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Machines are thrown out and let in again by the API of a server. */
class MachineTrustApiTest {

  private final ApiUnderTest api = new ApiUnderTest(ApiUnderTest.Asked.LEADER);

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private Reply post(String machine, String order) throws IOException {
    return api.request("POST", "/fleet/v1/machines/" + machine + "/" + order, "");
  }

  @Test
  void aMachineIsRemovedOnce() throws IOException {
    assertThat(post("m2", "remove").status()).isEqualTo(204);
    assertThat(post("m2", "remove").status()).isEqualTo(200);
  }

  @Test
  void oneThatNobodyKnowsIsNot() throws IOException {
    assertThat(post("m9", "remove").error()).isEqualTo("404 no machine has the id m9");
    assertThat(post("m9", "readmit").error()).isEqualTo("404 no machine has the id m9");
  }

  @Test
  void aServerDoesNotRemoveItself() throws IOException {
    assertThat(post("m1", "remove").error()).isEqualTo("409 ask another server");
  }

  @Test
  void untilWhenAMachineMayComeIsTold() throws IOException {
    assertThat(post("m2", "readmit").body()).isEqualTo("{\"until\":\"2026-03-02T10:00:00Z\"}");
  }

  @Test
  void nothingIsRemovedByReading() throws IOException {
    assertThat(api.get("/fleet/v1/machines/m2/remove").error())
        .isEqualTo("405 only POST supported against this resource");
  }
}
