package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.UnitRevision;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts with comments come in beside the options, and go out to whoever asks for the text. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
final class CommentsApiTest {

  private static final String JSON = "Content-Type: application/json";
  private static final UnitName WEB = UnitName.of("web.service");
  private static final String TEXT = "# why\n[Service]\nExecStart=/bin/true\n";
  private static final String OPTIONS =
      "\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"/bin/true\"}]";
  private static final String TYPED = "\"text\":\"# why\\n[Service]\\nExecStart=/bin/true\\n\"";

  private final ApiUnderTest api;

  CommentsApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private String put(String fields) throws IOException {
    return api.request(
            "PUT",
            "/fleet/v1/units/web.service",
            "{\"desiredState\":\"inactive\"," + fields + "}",
            JSON)
        .error();
  }

  @Test
  void aTextOfAnotherContentThanTheOptionsIsRefused() throws IOException {
    assertThat(put(OPTIONS + "," + TYPED.replace("true", "false")))
        .isEqualTo("400 text and options are not of the same content");
    assertThat(put(OPTIONS + ",\"text\":\"no unit file\"")).startsWith("400 ");
    assertThat(api.cluster.units()).isEmpty();
  }

  @Test
  void onlyWhoAsksForTheTextOfOneUnitGetsItsComments() throws IOException {
    api.cluster.add(FakeUnits.view("web.service", DesiredState.INACTIVE));
    api.cluster.texts.put(WEB, TEXT);
    assertThat(api.get("/fleet/v1/units/web.service?text=1").body()).contains(TYPED);
    assertThat(api.get("/fleet/v1/units/web.service").body()).doesNotContain("# why");
    assertThat(api.get("/fleet/v1/units").body()).doesNotContain("# why");
  }

  @Test
  void aFormerContentHasItsComments() throws Exception {
    api.cluster.histories.put(
        WEB,
        List.of(
            new UnitRevision(
                1,
                true,
                "h",
                Instant.EPOCH,
                "user a",
                "submit",
                Optional.of(UnitFile.typed(TEXT)))));
    assertThat(api.get("/fleet/v1/units/web.service/history?revision=1").body()).contains(TYPED);
  }
}
