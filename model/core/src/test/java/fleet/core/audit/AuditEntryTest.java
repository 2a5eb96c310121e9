package fleet.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditEntryTest {

  private static final String FORGED = "web\nroot: unit.put evil.service done\u001b[2J\"\\";

  private static final AuditEntry ENTRY =
      new AuditEntry(
          "r1",
          "user root on m2",
          "m2",
          "unit.put",
          "web.service",
          "0123456789",
          "fedcba9876",
          AuditEntry.Result.DONE,
          "desired state launched",
          0);

  private static final AuditEntry FORGED_ENTRY =
      new AuditEntry(
          FORGED,
          FORGED,
          FORGED,
          FORGED,
          FORGED,
          FORGED,
          FORGED,
          AuditEntry.Result.REFUSED,
          FORGED,
          7);

  @Test
  void readsAsASentence() {
    assertThat(ENTRY.text())
        .isEqualTo(
            "user root on m2: unit.put web.service done, hash 0123456 to fedcba9: desired state"
                + " launched");
  }

  @Test
  void whatWasWrittenIsReadBack() {
    for (AuditEntry entry : new AuditEntry[] {ENTRY, FORGED_ENTRY}) {
      Map<String, String> fields = entry.fields();
      assertThat(AuditEntry.of(name -> Optional.ofNullable(fields.get(name)))).contains(entry);
    }
  }

  @Test
  void anEntryOfSomethingElseIsNone() {
    assertThat(AuditEntry.of(_ -> Optional.of("x"))).isEmpty();
  }

  @Test
  void noTextMakesAnotherLine() {
    assertThat(FORGED_ENTRY.text()).doesNotContain("\n", "\u001b").contains("web\\x0aroot");
    assertThat(FORGED_ENTRY.json(Instant.EPOCH, FORGED))
        .doesNotContain("\n", "\u001b")
        .contains("\"subject\":\"web\\u000aroot")
        .endsWith("\"leftOut\":7}");
  }

  @Test
  void aTextThatIsLongIsCutBetweenCharacters() {
    String target =
        new AuditEntry("", "", "", "😀".repeat(AuditEntry.LONGEST), AuditEntry.Result.DONE)
            .target();
    assertThat(target).hasSizeLessThanOrEqualTo(AuditEntry.LONGEST).endsWith("😀…");
  }
}
