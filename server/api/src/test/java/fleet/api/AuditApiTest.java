package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines;
import fleet.core.machine.Machine;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.question.Question.JournalEntries;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The audit logs of all servers, through the API. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class AuditApiTest {

  private static final String AUDIT = "/fleet/v1/audit";

  private final ApiUnderTest api;
  private final Map<String, Question> asked = new ConcurrentHashMap<>();
  private final Map<String, String> logs = new ConcurrentHashMap<>();

  AuditApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @BeforeEach
  void servers() {
    for (String id : List.of("m1", "m2", "m3")) {
      api.cluster.add(new Machine(id, "boot", "", Map.of(), "2.0.0"));
    }
    api.cluster.agents.add("m3");
    api.cluster.answers = this::answer;
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  private Optional<Answer> answer(String machine, Question question) {
    asked.put(machine, question);
    return Optional.ofNullable(logs.get(machine))
        .map(text -> {
          FakeAnswer answer = new FakeAnswer(0);
          answer.say(text);
          answer.end();
          return answer;
        });
  }

  private static String entry(long micros, String target) {
    return "{\"__REALTIME_TIMESTAMP\":\"%d\",\"__CURSOR\":\"c=%d\",\"FLEET_TARGET\":\"%s\"}%n"
        .formatted(micros, micros, target);
  }

  @Test
  void theLogsOfAllServersComeInOrderOfTime() throws Exception {
    logs.put("m1", entry(1, "a.service") + entry(3, "c.service"));
    logs.put("m2", entry(2, "b.service"));

    Reply reply = api.get(AUDIT + "?subject=user%20root&unit=a.service&since=2026-01-01T00:00:00Z");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body().lines().map(line -> line.replaceFirst(".*TARGET\":\"(.).*", "$1")))
        .containsExactly("a", "b", "c");
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 0\n");
    assertThat(asked.get("m1"))
        .isEqualTo(
            new Question.Audit(
                new JournalEntries(
                    List.of(),
                    JournalEntries.ALL,
                    Optional.of(Instant.parse("2026-01-01T00:00:00Z")),
                    "",
                    false,
                    true),
                "user root",
                "a.service"));
  }

  /** Root there could write whatever it likes. */
  @Test
  void aMachineThatOnlyRunsUnitsIsNotAsked() throws Exception {
    logs.put("m1", entry(1, "a.service"));
    logs.put("m2", "");
    logs.put("m3", entry(2, "forged.service"));

    Reply reply = api.get(AUDIT);

    assertThat(reply.body()).contains("a.service").doesNotContain("forged");
    assertThat(asked).containsOnlyKeys("m1", "m2");
  }

  @Test
  void aServerThatDoesNotAnswerIsNamed() throws Exception {
    logs.put("m1", entry(1, "a.service"));

    Reply reply = api.get(AUDIT);

    assertThat(reply.body())
        .contains("a.service")
        .contains("\"FLEET_MACHINE\":\"m2\",\"FLEET_NOTICE\":\"it is not there");
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 1\n");
  }

  @Test
  void aMachineThatIsAwayMayBeAServerWithALog() throws Exception {
    logs.put("m1", "");
    logs.put("m2", "");
    api.cluster.absences =
        new AbsentMachines(
            List.of(
                new AbsentMachines.Absent("m9", 1, AbsentMachines.Standing.LOST, Optional.empty())),
            Optional.empty(),
            List.of());

    Reply reply = api.get(AUDIT);

    assertThat(reply.body()).contains("machine m9 is away: if it is a server");
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 1\n");
  }

  @Test
  void theLogIsOnlyRead() throws Exception {
    assertThat(api.request("POST", AUDIT, "{}").status()).isEqualTo(405);
    assertThat(api.request("DELETE", AUDIT, "").status()).isEqualTo(405);
  }
}
