package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.UnitView;
import fleet.core.question.Answer;
import fleet.core.question.JournalFilter;
import fleet.core.question.Question;
import fleet.core.question.Question.JournalEntries;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The parts that {@link JournalApiTest} and {@link FollowedJournalApiTest} share. */
abstract class JournalApiFixture {
  static final String JOURNAL = "/fleet/v1/journal";

  static final UnitName WEB1 = UnitName.of("web@1.service");

  final ApiUnderTest api;

  JournalApiFixture(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  final BlockingQueue<JournalEntries> asked = new LinkedBlockingQueue<>();

  final BlockingQueue<JournalFilter> filters = new LinkedBlockingQueue<>();

  final Map<String, BlockingQueue<Answer>> answers = new ConcurrentHashMap<>();

  @BeforeEach
  void units() {
    api.cluster.add(placed("web@1.service", Optional.of("m1")));
    api.cluster.add(placed("web@2.service", Optional.of("m2")));
    api.cluster.answers = this::answer;
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  static UnitView placed(String name, Optional<String> machine) {
    UnitView view = FakeUnits.view(name, DesiredState.LAUNCHED);
    return new UnitView(
        view.unit(), Optional.empty(), machine, false, "", false, "", Optional.empty(), "");
  }

  Optional<Answer> answer(String machine, Question question) {
    if (question instanceof Question.FilteredEntries filtered) {
      filters.add(filtered.filter());
      asked.add(filtered.entries());
    } else {
      asked.add((JournalEntries) question);
    }
    return Optional.ofNullable(of(machine).poll());
  }

  BlockingQueue<Answer> of(String machine) {
    return answers.computeIfAbsent(machine, _ -> new LinkedBlockingQueue<>());
  }

  FakeAnswer answers(String machine, String text) {
    FakeAnswer answer = new FakeAnswer(0);
    answer.say(text);
    of(machine).add(answer);
    return answer;
  }

  static String entry(long micros, String unit, String message) {
    return "{\"__REALTIME_TIMESTAMP\":\"%d\",\"__CURSOR\":\"c=%d\",\"_SYSTEMD_UNIT\":\"%s\",\"MESSAGE\":\"%s\"}%n"
        .formatted(micros, micros, unit, message);
  }

  static String merged(long micros, String machine, String unit, String message) {
    return "{\"FLEET_MACHINE\":\"%s\",\"FLEET_UNIT\":\"%s\",".formatted(machine, unit)
        + entry(micros, unit, message).substring(1);
  }

  /** Chunks until so many whole lines have come. */
  static List<String> lines(RawConnection wire, int count) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.chars().filter(c -> c == '\n').count() < count) {
      byte[] chunk = wire.chunk();
      assertThat(chunk).as("after " + text).isNotEmpty();
      text.append(new String(chunk, UTF_8));
    }
    return text.toString().lines().toList();
  }

  static UnitView waiting(String name, DesiredState desired, Optional<String> keptOn) {
    return new UnitView(
        FakeUnits.view(name, desired).unit(),
        Optional.empty(),
        Optional.empty(),
        false,
        "no room",
        false,
        "",
        keptOn,
        "");
  }
}
