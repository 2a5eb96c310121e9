package fleet.registry.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.question.JournalFilter;
import fleet.core.question.KillSignal;
import fleet.core.question.Question;
import fleet.core.question.UnitVerb;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuestionRecordsTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final UnitName DB = UnitName.of("db.service");

  private static final Resources RESOURCES = new Resources(2000, 1L << 33, 1L << 40);

  private static Entry stored(String value) {
    return new Entry("machine/m1", value, 1, 1);
  }

  @Test
  void aQuestionIsReadAsItWasWritten() {
    var status = new QuestionRecord(new Question.Status(WEB, true)).withTaken(3);
    var journal = new QuestionRecord(new Question.Journal(WEB, 10, true, "short"));

    assertThat(QuestionRecord.of(stored(status.json()))).isEqualTo(status);
    assertThat(QuestionRecord.of(stored(journal.json()))).isEqualTo(journal);
  }

  @Test
  void questionsOfSeveralUnitsAndOfTheMachineAreReadAsTheyWereWritten() {
    var since = Optional.of(Instant.ofEpochMilli(1_700_000_000_123L));
    List<Question> questions =
        List.of(
            new Question.JournalEntries(List.of(WEB, DB), 10, since, "s=1;i=2", true, false),
            new Question.JournalEntries(
                List.of(WEB), Question.JournalEntries.ALL, Optional.empty(), "", false, true),
            new Question.FilteredEntries(
                new Question.JournalEntries(List.of(WEB), 10, since, "", true, false),
                new JournalFilter("err..crit", "a \"b\"", Optional.empty(), true)),
            new Question.FilteredEntries(
                new Question.JournalEntries(List.of(WEB), 10, Optional.empty(), "", false, false),
                new JournalFilter("", "", since, false)),
            new Question.Audit(
                new Question.JournalEntries(List.of(), 10, since, "s=1;i=2", true, true),
                "user root",
                "web.service"),
            new Question.Usage(true, Duration.ofMillis(1500), Question.Usage.ENDLESS),
            new Question.Systemctl(WEB, UnitVerb.RESET_FAILED, Optional.empty()),
            new Question.Systemctl(
                WEB, UnitVerb.KILL, Optional.of(new KillSignal("SIGHUP", "main"))));

    for (Question question : questions) {
      var record = new QuestionRecord(question).withTaken(7);
      assertThat(QuestionRecord.of(stored(record.json()))).isEqualTo(record);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 6143, 6144, 6145, AnswerRecord.MAX_DATA})
  void bytesOfAnAnswerAreReadAsTheyWereWritten(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    String value = new AnswerRecord.Data(bytes).json();

    assertThat(value).hasSizeLessThan(64 << 10);
    assertThat(AnswerRecord.of(stored(value)))
        .isInstanceOfSatisfying(
            AnswerRecord.Data.class, data -> assertThat(data.bytes()).isEqualTo(bytes));
  }

  @Test
  void theBeginningAndTheEndOfAnAnswerAreReadAsTheyWereWritten() {
    var ended = new AnswerRecord.Ended(3, "no such program");

    assertThat(AnswerRecord.of(stored(ended.json()))).isEqualTo(ended);
    assertThat(AnswerRecord.of(stored(new AnswerRecord.Begun().json())))
        .isEqualTo(new AnswerRecord.Begun());
  }

  @Test
  void aMachineIsReadAsItWasWrittenAlsoByAnEarlierVersion() {
    var machine =
        new Machine("m1", "b", "10.0.0.1", Map.of("a", "b"), "2", Isolation.STOP, RESOURCES);
    var record = new MachineRecord(machine, Duration.ofSeconds(8));

    assertThat(MachineRecord.of(stored(record.json()))).isEqualTo(record);
    assertThat(MachineRecord.of(stored(record.asStandIn().json()))).isEqualTo(record.asStandIn());
    String early =
        record.json().replaceAll(",\"(ttlMillis|cpuMillis|memory|disk|standIn)\":[0-9a-z]+", "");
    assertThat(MachineRecord.of(stored(early)))
        .isEqualTo(
            new MachineRecord(
                new Machine("m1", "b", "10.0.0.1", Map.of("a", "b"), "2", Isolation.STOP),
                Duration.ZERO));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"format\":1,\"kind\":\"other\",\"unit\":\"web.service\",\"taken\":0}",
        "{\"format\":1,\"kind\":\"order\",\"unit\":\"web.service\",\"verb\":\"paint\",\"taken\":0}",
        "{\"format\":1,\"kind\":\"order\",\"unit\":\"web.service\",\"verb\":\"kill\",\"taken\":0}",
        "{\"format\":1,\"kind\":\"status\",\"unit\":\"web\",\"taken\":0,\"colour\":true}",
        "{\"format\":1,\"kind\":\"data\",\"base64\":[\"!\"]}",
        "[]"
      })
  void whatIsNoneOfTheseIsRefusedWithItsKey(String value) {
    assertThatThrownBy(() -> QuestionRecord.of(stored(value)))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("machine/m1");
    assertThatThrownBy(() -> AnswerRecord.of(stored(value)))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("machine/m1");
  }
}
