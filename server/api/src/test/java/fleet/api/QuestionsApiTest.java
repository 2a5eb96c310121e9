package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.UnitView;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.IOException;
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
class QuestionsApiTest {

  private static final UnitName WEB = UnitName.of("web.service");

  private final ApiUnderTest api;

  QuestionsApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  private final List<String> asked = new ArrayList<>();

  @BeforeEach
  void units() {
    api.cluster.add(placed("web.service", Optional.of("m1"), false, ""));
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private static UnitView placed(
      String name, Optional<String> machine, boolean global, String waiting) {
    UnitView view = FakeUnits.view(name, DesiredState.LAUNCHED);
    return new UnitView(
        view.unit(), Optional.empty(), machine, global, waiting, false, "", Optional.empty(), "");
  }

  private void answerWith(Answer answer) {
    api.cluster.answers =
        (machine, question) -> {
          asked.add(machine + " " + question);
          return Optional.of(answer);
        };
  }

  @Test
  void theStatusComesWithItsExitStatus() throws IOException {
    answerWith(FakeAnswer.whole("\u25cf web.service - failed\n", 3));
    Reply reply = api.get("/fleet/v1/units/web.service/status?colour=1");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(reply.header("fleet-exit-status")).isEqualTo("3");
    assertThat(reply.body()).isEqualTo("\u25cf web.service - failed\n");
    assertThat(asked).containsExactly("m1 " + new Question.Status(WEB, true));
  }

  @Test
  void theJournalIsAskedForAsTheRequestSays() throws IOException {
    answerWith(FakeAnswer.whole("a line\n", 1));
    Reply reply =
        api.get("/fleet/v1/units/web.service/journal?lines=25&output=short-iso&machine=m2");
    assertThat(reply.body()).isEqualTo("a line\n");
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 1\n");
    answerWith(FakeAnswer.whole("", 0));
    assertThat(api.get("/fleet/v1/units/web.service/journal?follow=1").body()).isEmpty();
    assertThat(asked)
        .containsExactly(
            "m2 " + new Question.Journal(WEB, 25, false, "short-iso"),
            "m1 " + new Question.Journal(WEB, 10, true, "short"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gone.service/status|404 unit does not exist",
        "gone.service/journal|404 unit does not exist",
        "everywhere.service/status|400 everywhere.service is global: choose one of its machines"
            + " with machine=\\u003cid\\u003e",
        "waiting.service/journal|409 waiting.service is on no machine: no machine has region=eu",
        "web.service/journal?lines=many|400 invalid lines \"many\": expected a number",
        "web.service/journal?follow=banana|400 invalid follow \"banana\": expected 1 or 0",
        "web.service/status?colour=red|400 invalid colour \"red\": expected 1 or 0",
        "web.service/journal?lines=-1|400 invalid lines \"-1\": expected a number",
        "web.service/journal?output=--file=/etc/shadow|400 invalid output \"--file=/etc/shadow\":"
            + " expected a name as journalctl --output takes it",
        "web.service/status?machine=m9|404 machine m9 does not have web.service, or cannot be"
            + " reached",
      })
  void whatCannotBeAskedIsRefused(String path, String expected) throws IOException {
    api.cluster.add(placed("everywhere.service", Optional.empty(), true, ""));
    api.cluster.add(placed("waiting.service", Optional.empty(), false, "no machine has region=eu"));
    assertThat(api.get("/fleet/v1/units/" + path).error()).isEqualTo(expected);
  }

  @Test
  void linesArriveAsTheyAreWritten() throws IOException {
    FakeAnswer answer = new FakeAnswer(0);
    answerWith(answer);
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", "/fleet/v1/units/web.service/journal?follow=1", "");
      assertThat(wire.head().status()).isEqualTo(200);
      answer.say("one\n");
      assertThat(wire.chunk()).isEqualTo("one\n".getBytes(UTF_8));
      answer.say("two\n");
      assertThat(wire.chunk()).isEqualTo("two\n".getBytes(UTF_8));
      answer.end();
      assertThat(wire.chunk()).isEmpty();
    }
  }

  @Test
  void aClientThatGoesEndsTheAnswerThoughNothingIsWritten() throws Exception {
    FakeAnswer answer = new FakeAnswer(0);
    answerWith(answer);
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", "/fleet/v1/units/web.service/journal?follow=1", "");
      assertThat(wire.head().status()).isEqualTo(200);
    }
    answer.awaitClose();
  }

  @Test
  void aStoppingServerCutsTheAnswerSoThatItIsNotTakenForWhole() throws Exception {
    FakeAnswer answer = new FakeAnswer(0);
    answerWith(answer);
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", "/fleet/v1/units/web.service/journal?follow=1", "");
      wire.head();
      answer.say("one\n");
      wire.chunk();
      api.stop();
      assertThatThrownBy(wire::chunk).isInstanceOf(IOException.class);
    }
    answer.awaitClose();
  }
}
