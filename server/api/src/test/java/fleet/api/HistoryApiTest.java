package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.UnitRevision;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contents that a unit has had. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class HistoryApiTest {

  private static final String PATH = "/fleet/v1/units/web.service/history";

  private final ApiUnderTest api;

  HistoryApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @BeforeEach
  void haveTwo() throws Exception {
    api.cluster.histories.put(
        UnitName.of("web.service"),
        List.of(revision(7, true, "new", "rollout"), revision(4, false, "old", "")));
  }

  private static UnitRevision revision(int number, boolean current, String word, String cause)
      throws Exception {
    return new UnitRevision(
        number,
        current,
        "h" + number,
        Instant.parse("2026-01-01T00:00:00Z"),
        "user a",
        cause,
        Optional.of(UnitFile.parse("[Service]\nExecStart=/bin/echo " + word + "\n")));
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  @Test
  void theListHasNoTexts() throws IOException {
    assertThat(api.get(PATH).body())
        .isEqualTo(
            "{\"revisions\":[{\"revision\":7,\"current\":true,\"hash\":\"h7\","
                + "\"created\":\"2026-01-01T00:00:00Z\",\"by\":\"user a\",\"cause\":\"rollout\"},"
                + "{\"revision\":4,\"hash\":\"h4\",\"created\":\"2026-01-01T00:00:00Z\","
                + "\"by\":\"user a\"}]}");
  }

  @Test
  void aRevisionThatIsAskedForHasItsText() throws IOException {
    assertThat(api.get(PATH + "?revision=4").body())
        .contains("\"revision\":4", "/bin/echo old")
        .doesNotContain("\"revision\":7");
    assertThat(api.get(PATH + "?revision=4&revision=7").body())
        .contains("/bin/echo old", "/bin/echo new");
  }

  @Test
  void whatIsNotThereIsRefusedWithWhatIs() throws IOException {
    assertThat(api.get(PATH + "?revision=5").error())
        .isEqualTo("404 web.service has no revision 5: it has 4, 7");
    assertThat(api.get(PATH + "?revision=x").error())
        .isEqualTo("400 revision must be a whole number of at least 1, not x");
    assertThat(api.get("/fleet/v1/units/no.service/history").error())
        .isEqualTo("404 unit does not exist");
    assertThat(api.request("PUT", PATH, "{}").status()).isEqualTo(405);
  }
}
