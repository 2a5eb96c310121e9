package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.question.Answer;
import fleet.core.question.ExecFrame;
import fleet.core.question.ExecTerminal;
import fleet.core.question.Question;
import fleet.core.question.RefusedAnswer;
import fleet.core.question.TerminalWindow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class ExecApiTest {

  private static final String EXEC = "/fleet/v1/machines/m1/exec";
  private static final String INPUT = "/fleet/v1/machines/m1/exec-input?session=";
  private static final String SESSION = "0b5c1d3a-7e0f-4a55-9d0e-111213141516";

  private final ApiUnderTest api;
  private final List<Question> asked = new ArrayList<>();

  ExecApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private void answerWith(Answer answer) {
    api.cluster.answers =
        (machine, question) -> {
          asked.add(question);
          return Optional.of(answer).filter(_ -> machine.equals("m1"));
        };
  }

  private static String frame(ExecFrame.Kind kind, String data) {
    return new String(new ExecFrame(kind, data.getBytes(UTF_8)).bytes(), UTF_8);
  }

  private Reply run(String body) throws IOException {
    return api.request("POST", EXEC, body, "Content-Type: application/json");
  }

  @Test
  void whatACommandWritesAndItsExitStatusComeBack() throws IOException {
    String written =
        frame(ExecFrame.Kind.BEGUN, "fleet-exec-1.service")
            + frame(ExecFrame.Kind.OUTPUT, "out")
            + frame(ExecFrame.Kind.ERRORS, "err");
    answerWith(FakeAnswer.whole(written, 7));

    Reply reply = run("{\"command\":[\"ls\",\"-l\",\"a  b\"]}");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo(written);
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 7\n");
    assertThat(asked)
        .containsExactly(
            new Question.Exec(
                reply.header("fleet-exec-session"), List.of("ls", "-l", "a  b"), Optional.empty()));
  }

  @Test
  void aCommandHasTheTerminalThatIsAskedFor() throws IOException {
    answerWith(FakeAnswer.whole(frame(ExecFrame.Kind.BEGUN, ""), 0));
    run("{\"command\":[\"top\"],\"terminal\":{\"type\":\"xterm\",\"rows\":40,\"columns\":100}}");
    assertThat(((Question.Exec) asked.getFirst()).terminal())
        .contains(new ExecTerminal("xterm", new TerminalWindow(40, 100)));
  }

  @Test
  void theReasonOfAMachineThatRefusesIsThatOfTheRequest() throws IOException {
    answerWith(new RefusedAnswer("machine m1: commands are switched off"));
    assertThat(run("{\"command\":[\"ls\"]}").error())
        .isEqualTo("409 machine m1: commands are switched off");
  }

  @Test
  void aClientThatGoesEndsTheCommand() throws Exception {
    FakeAnswer answer = new FakeAnswer(0);
    answer.say(frame(ExecFrame.Kind.BEGUN, "fleet-exec-1.service"));
    answerWith(answer);
    try (RawConnection wire = api.connect()) {
      wire.ask("POST", EXEC, "{\"command\":[\"ls\"]}", "Content-Type: application/json");
      assertThat(wire.head().status()).isEqualTo(200);
    }
    answer.awaitClose();
  }

  @Test
  void inputGoesToTheSessionAndSaysHowMuchWasTaken() throws IOException {
    answerWith(FakeAnswer.whole("12", 0));
    Reply reply = api.request("PUT", INPUT + SESSION + "&offset=10&last=1", "\0\n");
    assertThat(reply.body()).isEqualTo("{\"taken\":12}");
    Question.ExecInput input = (Question.ExecInput) asked.getFirst();
    assertThat(input.session()).isEqualTo(SESSION);
    assertThat(input.offset()).isEqualTo(10);
    assertThat(input.data()).containsExactly(0, '\n');
    assertThat(input.last()).isTrue();
  }

  @Test
  void aWindowOfAnotherSizeIsTold() throws IOException {
    answerWith(FakeAnswer.whole("", 0));
    Reply reply = api.request("PUT", INPUT + SESSION + "&rows=50&columns=132", "");
    assertThat(reply.status()).isEqualTo(204);
    assertThat(asked)
        .containsExactly(new Question.ExecWindow(SESSION, new TerminalWindow(50, 132)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST|m1/exec|{\"command\":[]}|400 invalid command \"\": expected a program to run",
        "POST|m1/exec|{\"command\":[\"a\\u0000b\"]}|400 invalid command: a word has a zero byte",
        "POST|m1/exec|{\"command\":[\"ls\"],\"terminal\":{\"type\":\"x;y\",\"rows\":1,\"columns\":1}}|400 invalid terminal \"x;y\": expected a name as TERM has it, such as xterm",
        "POST|m1/exec|{\"command\":[\"ls\"],\"terminal\":{\"type\":\"vt\",\"rows\":0,\"columns\":1}}|400 invalid window 0 x 1: expected rows and columns from 1 to 32767",
        "POST|m2/exec|{\"command\":[\"ls\"]}|404 there is no machine m2, or it cannot be reached",
        "GET|m1/exec||405 only POST supported against this resource",
        "PUT|m1/exec-input?session=1|x|400 invalid session \"1\": expected a UUID",
        "PUT|m1/exec-input?session=0b5c1d3a-7e0f-4a55-9d0e-111213141516&offset=x|x|400 invalid offset \"x\": expected a number",
      })
  void whatCannotBeIsRefused(String method, String path, String body, String expected)
      throws IOException {
    answerWith(FakeAnswer.whole("", 0));
    assertThat(
            api.request(
                    method,
                    "/fleet/v1/machines/" + path,
                    body == null ? "" : body,
                    "Content-Type: application/json")
                .error())
        .isEqualTo(expected);
  }
}
