package fleet.fleetctl.journal;

import fleet.entities.JournalEntry;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Writes entries for people. Control sequences of terminals are left out. */
public final class EntryText {

  private static final int ERROR = 3;
  private static final String RED = "\033[0;1;31m";
  private static final String PLAIN = "\033[0m";

  /** Sequences that terminals obey, and single characters that they do; not tab and line end. */
  private static final Pattern CONTROL =
      Pattern.compile(
          "\033\\[[0-?]*[ -/]*[@-~]|\033\\][^\007\033]*(?:\007|\033\\\\)|[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]");

  private final EntryFormat format;
  private final DateTimeFormatter time;
  private final ZoneId zone;
  private final MachineLabels labels = new MachineLabels();
  private final boolean ofMany;
  private final boolean coloured;

  /**
   * @param ofMany whether entries may be of several units, and say of which
   * @param coloured whether errors are red
   */
  public EntryText(EntryFormat format, ZoneId zone, boolean ofMany, boolean coloured) {
    this.format = format;
    this.time = format.time();
    this.zone = zone;
    this.ofMany = ofMany;
    this.coloured = coloured;
  }

  /** One line, or several if the message has several. */
  public String of(JournalEntry entry) {
    String message =
        CONTROL.matcher(entry.field("MESSAGE").orElse("")).replaceAll("").stripTrailing();
    if (format == EntryFormat.CAT) {
      return message;
    }
    String introduction = introduction(entry);
    String indented = message.replace("\n", "\n" + " ".repeat(introduction.length()));
    return introduction + (isError(entry) ? RED + indented + PLAIN : indented);
  }

  private String introduction(JournalEntry entry) {
    StringBuilder text = new StringBuilder();
    text.append(time.format(received(entry).atZone(zone)));
    text.append(' ').append(labels.of(entry));
    if (ofMany) {
      text.append(' ').append(plain(entry, JournalEntry.UNIT, "?"));
    }
    text.append(' ').append(plain(entry, "SYSLOG_IDENTIFIER", plain(entry, "_COMM", "unknown")));
    String pid = plain(entry, "_PID", plain(entry, "SYSLOG_PID", ""));
    return text.append(pid.isEmpty() ? ": " : "[" + pid + "]: ").toString();
  }

  static String plain(JournalEntry entry, String field, String otherwise) {
    return entry.field(field).map(text -> CONTROL.matcher(text).replaceAll("")).orElse(otherwise);
  }

  static Instant received(JournalEntry entry) {
    long micros = entry.realtimeMicros();
    return Instant.EPOCH
        .plusSeconds(TimeUnit.MICROSECONDS.toSeconds(micros))
        .plusNanos(TimeUnit.MICROSECONDS.toNanos(micros % 1_000_000));
  }

  private boolean isError(JournalEntry entry) {
    return coloured
        && entry
            .field("PRIORITY")
            .filter(priority -> priority.length() == 1 && priority.charAt(0) - '0' <= ERROR)
            .isPresent();
  }
}
