package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Event;
import fleet.core.machine.Machine;
import fleet.core.question.Question;
import fleet.core.question.Question.Usage;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class UsageApiTest {

  private static final String USAGE = "/fleet/v1/usage";

  private final ApiUnderTest api;

  UsageApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  private final BlockingQueue<Question> asked = new LinkedBlockingQueue<>();

  @BeforeEach
  void machines() {
    api.cluster.add(machine("m1"));
    api.cluster.add(machine("n2"));
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private static Machine machine(String id) {
    return new Machine(id, "boot", "", Map.of(), "2");
  }

  private void answerWith(Function<String, Optional<FakeAnswer>> answers) {
    api.cluster.answers =
        (machine, question) -> {
          asked.add(question);
          return answers.apply(machine).map(answer -> answer);
        };
  }

  @Test
  void everyMachineIsAskedAndNamedInItsLines() throws IOException {
    answerWith(machine -> Optional.of(FakeAnswer.whole("{\"nanos\":1}\n{\"nanos\":2}\n", 0)));

    Reply reply = api.get(USAGE + "?samples=2&interval=1000&units=1");

    assertThat(reply.header("content-type")).isEqualTo("application/x-ndjson");
    assertThat(reply.body().lines())
        .containsExactlyInAnyOrder(
            "{\"machineID\":\"m1\",\"nanos\":1}",
            "{\"machineID\":\"m1\",\"nanos\":2}",
            "{\"machineID\":\"n2\",\"nanos\":1}",
            "{\"machineID\":\"n2\",\"nanos\":2}");
    assertThat(asked).containsOnly(new Usage(true, Duration.ofSeconds(1), 2));
  }

  @Test
  void aMachineThatDoesNotAnswerIsTold() throws IOException {
    answerWith(machine -> Optional.empty());

    assertThat(api.get(USAGE + "?machine=m").body())
        .isEqualTo(
            "{\"machineID\":\"m1\",\"problem\":\"it is not there, or cannot be reached\"}\n");
    assertThat(api.get(USAGE + "?machine=x").error()).isEqualTo("404 there is no machine x");
    assertThat(api.get(USAGE + "?samples=0").error())
        .isEqualTo("400 invalid samples \"0\": expected a number above 0, or endless");
    assertThat(api.get(USAGE + "?interval=endless").error())
        .isEqualTo("400 invalid interval \"endless\": expected a number of milliseconds");
    assertThat(api.get(USAGE + "?units=maybe").error())
        .isEqualTo("400 invalid units \"maybe\": expected 1 or 0");
  }

  @Test
  void linesArriveAsTheyAreMeasuredAndThoseOfNewMachinesToo() throws Exception {
    FakeAnswer first = new FakeAnswer(0);
    FakeAnswer later = new FakeAnswer(0);
    answerWith(machine -> Optional.of(machine.equals("n3") ? later : first));
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", USAGE + "?samples=endless&machine=n", "");
      assertThat(wire.head().status()).isEqualTo(200);
      first.say("{\"nanos\":1}\n");
      assertThat(wire.chunk()).isEqualTo("{\"machineID\":\"n2\",\"nanos\":1}\n".getBytes(UTF_8));
      api.cluster.add(machine("n3"));
      api.cluster.events.happen(Event.Body.of(machine("n3"), true));
      later.say("{\"nanos\":5}\n");
      assertThat(wire.chunk()).isEqualTo("{\"machineID\":\"n3\",\"nanos\":5}\n".getBytes(UTF_8));
    }
    first.awaitClose();
    later.awaitClose();
  }
}
