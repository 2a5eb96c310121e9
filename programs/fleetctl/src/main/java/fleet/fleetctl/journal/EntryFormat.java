package fleet.fleetctl.journal;

import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How entries are written, by the names of journalctl. */
public enum EntryFormat {
  SHORT("short", "MMM dd HH:mm:ss"),
  SHORT_PRECISE("short-precise", "MMM dd HH:mm:ss.SSSSSS"),
  SHORT_ISO("short-iso", "yyyy-MM-dd'T'HH:mm:ssZ"),
  SHORT_ISO_PRECISE("short-iso-precise", "yyyy-MM-dd'T'HH:mm:ss.SSSSSSZ"),
  /** The message alone. */
  CAT("cat", ""),
  /** As fleetd has it: a line of journalctl with machine and unit. */
  JSON("json", "");

  private final String text;
  private final String time;

  EntryFormat(String text, String time) {
    this.text = text;
    this.time = time;
  }

  public static Optional<EntryFormat> of(String text) {
    return Arrays.stream(values()).filter(format -> format.text.equals(text)).findFirst();
  }

  public static List<String> names() {
    return Arrays.stream(values()).map(format -> format.text).toList();
  }

  DateTimeFormatter time() {
    return DateTimeFormatter.ofPattern(time, Locale.ROOT);
  }
}
