package fleet.fleetd.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.audit.AuditEntry;
import fleet.core.audit.AuditEntry.Result;
import fleet.core.audit.AuditThrottle;
import fleet.fleetd.notify.DatagramReceiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrittenAuditTest {

  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir Path directory;

  private String address() {
    return directory.resolve("journal").toString();
  }

  private WrittenAudit audit(Optional<Path> file, Duration window) throws IOException {
    return new WrittenAudit("m1", address(), file, window);
  }

  private static AuditEntry put(String target) {
    return new AuditEntry("r1", "user root", "unit.put", target, Result.DONE);
  }

  private static AuditEntry refused(String address) {
    return new AuditEntry("r2", address, AuditThrottle.JOIN, "m9", Result.REFUSED);
  }

  @Test
  void anEntryReachesTheJournalWithItsFields() throws Throwable {
    try (DatagramReceiver journal = DatagramReceiver.bind(address());
        WrittenAudit audit = audit(Optional.empty(), AuditThrottle.WINDOW)) {
      audit.record(put("a.service\nFLEET_SUBJECT=user ceo"));

      assertThat(journal.receive())
          .contains("SYSLOG_IDENTIFIER\n\u000b\0\0\0\0\0\0\0fleet-audit\n")
          .contains("FLEET_SUBJECT\n\u0009\0\0\0\0\0\0\0user root\n")
          .contains("user root: unit.put a.service\\x0aFLEET_SUBJECT=user ceo done\n");
    }
  }

  @Test
  void aFloodIsToldAndPushesNothingOut() throws Throwable {
    Path file = directory.resolve("audit.log");
    try (WrittenAudit audit = audit(Optional.of(file), SHORT)) {
      for (int i = 0; i < 1000; i++) {
        audit.record(refused("10.0.0.1"));
      }
      audit.record(put("a.service"));
      while (!Files.readString(file).contains("\"leftOut\":")) {
        Thread.onSpinWait();
      }
      assertThat(Files.readString(file)).contains("\"target\":\"a.service\"");
    }
  }

  @Test
  void whatWasLeftOutIsToldAtTheEnd() throws Exception {
    Path file = directory.resolve("audit.log");
    try (WrittenAudit audit = audit(Optional.of(file), AuditThrottle.WINDOW)) {
      for (int i = 0; i < 1000; i++) {
        audit.record(refused("10.0.0.1"));
      }
    }
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(11);
    assertThat(lines.getLast()).endsWith("\"leftOut\":990}");
  }

  @Test
  void aJournalThatTakesNothingHoldsUpNobodyForLong() throws Throwable {
    Path file = directory.resolve("audit.log");
    try (DatagramReceiver _ = DatagramReceiver.bind(address());
        WrittenAudit audit = audit(Optional.of(file), AuditThrottle.WINDOW)) {
      for (int i = 0; i < 2000; i++) {
        audit.record(put("u" + i + ".service"));
      }
      assertThat(Files.readAllLines(file)).hasSize(2000);
    }
  }

  @Test
  void withoutAJournalTheFileIsWritten() throws Exception {
    Path file = directory.resolve("audit.log");
    try (WrittenAudit audit = audit(Optional.of(file), AuditThrottle.WINDOW)) {
      audit.record(put("a.service"));
    }
    assertThat(Files.readAllLines(file)).hasSize(1);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void afterARotationEntriesGoToTheNewFile() throws Exception {
    Path file = directory.resolve("audit.log");
    try (WrittenAudit audit = audit(Optional.of(file), AuditThrottle.WINDOW)) {
      audit.record(put("a.service"));
      Files.move(file, directory.resolve("audit.log.1"));
      audit.record(put("b.service"));
    }
    assertThat(Files.readString(file)).contains("b.service").doesNotContain("a.service");
  }

  @Test
  void aFileThatIsALinkIsNotWritten() throws Exception {
    Path other = Files.createFile(directory.resolve("other"));
    Path file = Files.createSymbolicLink(directory.resolve("audit.log"), other);
    assertThatThrownBy(() -> WrittenAudit.open("m1", Optional.of(file)).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("audit_file=" + file + " cannot be written");
  }
}
