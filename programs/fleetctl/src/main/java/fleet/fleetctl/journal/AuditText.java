package fleet.fleetctl.journal;

import fleet.core.audit.AuditEntry;
import fleet.core.text.SingleLine;
import fleet.entities.JournalEntry;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Writes entries of the audit log, each as one line, whatever is in them. For one thread. */
public final class AuditText {

  private final DateTimeFormatter time;
  private final MachineLabels labels = new MachineLabels();

  public AuditText(ZoneId zone) {
    this.time = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(zone);
  }

  /** For people: when, on which server, who, what, and how it ended. */
  public String line(JournalEntry entry) {
    String text =
        audited(entry)
            .map(AuditEntry::text)
            .orElseGet(() -> SingleLine.of(entry.field("MESSAGE").orElse("")));
    return time.format(EntryText.received(entry)) + " " + labels.of(entry) + " " + text;
  }

  /** For programs: the same as in the file of {@code audit_file}. */
  public static String json(JournalEntry entry) {
    AuditEntry audited =
        audited(entry)
            .orElseGet(() ->
                new AuditEntry("", "", "", "", AuditEntry.Result.FAILED)
                    .because(entry.field("MESSAGE").orElse("")));
    return audited.json(EntryText.received(entry), entry.field(JournalEntry.MACHINE).orElse(""));
  }

  private static Optional<AuditEntry> audited(JournalEntry entry) {
    return AuditEntry.of(entry::field);
  }
}
