package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.UnitView;
import fleet.core.question.Answer;
import fleet.core.question.KillSignal;
import fleet.core.question.Question;
import fleet.core.question.UnitVerb;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class SystemctlApiTest {

  private static final UnitName WEB = UnitName.of("web.service");

  private final ApiUnderTest api;
  private final List<String> asked = new ArrayList<>();

  SystemctlApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @BeforeEach
  void units() {
    api.cluster.add(placed("web.service", Optional.of("m1"), false));
    api.cluster.add(placed("everywhere.service", Optional.empty(), true));
    api.cluster.add(placed("waiting.service", Optional.empty(), false));
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private static UnitView placed(String name, Optional<String> machine, boolean global) {
    UnitView view = FakeUnits.view(name, DesiredState.LAUNCHED);
    return new UnitView(
        view.unit(), Optional.empty(), machine, global, "", false, "", Optional.empty(), "");
  }

  private void answerWith(Answer answer) {
    api.cluster.answers =
        (machine, question) -> {
          asked.add(machine + " " + question);
          return Optional.of(answer);
        };
  }

  private Reply post(String path) throws IOException {
    return api.request("POST", "/fleet/v1/units/" + path, "");
  }

  @Test
  void anOrderGoesToTheMachineAndItsExitStatusComesBack() throws IOException {
    answerWith(FakeAnswer.whole("Job type reload is not applicable\n", 1));
    Reply reply = post("web.service/reload");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("Job type reload is not applicable\n");
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 1\n");
    answerWith(FakeAnswer.whole("", 0));
    assertThat(post("everywhere.service/thaw?machine=m2").trailers())
        .isEqualToIgnoringCase("Fleet-Exit-Status: 0\n");
    assertThat(asked)
        .containsExactly(
            "m1 " + new Question.Systemctl(WEB, UnitVerb.RELOAD, Optional.empty()),
            "m2 "
                + new Question.Systemctl(
                    UnitName.of("everywhere.service"), UnitVerb.THAW, Optional.empty()));
  }

  @Test
  void aSignalIsTermToAllUnlessTheRequestSaysOtherwise() throws IOException {
    answerWith(FakeAnswer.whole("", 0));
    post("web.service/kill");
    post("web.service/kill?signal=SIGHUP&whom=main");
    assertThat(asked).containsExactly("m1 " + kill("TERM", "all"), "m1 " + kill("HUP", "main"));
  }

  private static Question kill(String signal, String whom) {
    return new Question.Systemctl(WEB, UnitVerb.KILL, Optional.of(new KillSignal(signal, whom)));
  }

  /** So does the answer of a machine that is too old for the order. */
  @Test
  void whatKeepsTheMachineFromAnsweringIsToldAsAFailure() throws IOException {
    answerWith(new Failing("machine m1: fleetd of this machine is too old to freeze: upgrade it"));
    Reply reply = post("web.service/freeze");
    assertThat(reply.body())
        .isEqualTo("machine m1: fleetd of this machine is too old to freeze: upgrade it\n");
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 1\n");
  }

  private record Failing(String why) implements Answer {
    @Override
    public InputStream body() {
      return new ByteArrayInputStream(new byte[0]) {
        @Override
        public int read(byte[] target) throws IOException {
          throw new IOException(why);
        }
      };
    }

    @Override
    public int exitStatus() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST|gone.service/reload|404 unit does not exist",
        "POST|everywhere.service/freeze|400 everywhere.service is global: choose one of its"
            + " machines with machine=\\u003cid\\u003e",
        "POST|waiting.service/kill|409 waiting.service is on no machine",
        "POST|web.service/kill?signal=LOUD|400 invalid signal \"LOUD\": expected a name such as"
            + " HUP, or a number",
        "POST|web.service/kill?signal=65|400 invalid signal \"65\": expected a name such as HUP, or"
            + " a number",
        "POST|web.service/kill?whom=me|400 invalid whom \"me\": expected all, main, control",
        "POST|web.service/thaw?machine=m9|404 machine m9 does not have web.service, or cannot be"
            + " reached",
        "GET|web.service/reload|405 only POST supported against this resource",
      })
  void ordersThatCannotBeGivenAreRefused(String method, String path, String expected)
      throws IOException {
    assertThat(api.request(method, "/fleet/v1/units/" + path, "").error()).isEqualTo(expected);
    assertThat(asked).isEmpty();
  }
}
