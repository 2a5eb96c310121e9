package fleet.api.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.unit.UnitName;
import fleet.entities.InvalidJsonException;
import fleet.entities.JournalEntry;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Lines of the answer: what a machine wrote, with machine and unit added, and notices. */
final class MergedLine {

  /** Where an entry may name its unit; systemd and others write about units that are not theirs. */
  private static final List<String> UNIT_FIELDS =
      List.of(
          "UNIT",
          "USER_UNIT",
          "OBJECT_SYSTEMD_UNIT",
          "OBJECT_SYSTEMD_USER_UNIT",
          "COREDUMP_UNIT",
          "COREDUMP_USER_UNIT",
          "_SYSTEMD_UNIT",
          "_SYSTEMD_USER_UNIT");

  /** An empty line, which keeps the answer alive. */
  static final byte[] HEARTBEAT = {'\n'};

  private MergedLine() {}

  /**
   * An entry to merge.
   *
   * @param bytes the whole line with its end
   * @param micros its time by its machine, since 1970
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Entry(byte[] bytes, long micros, String cursor) {}

  static Entry entry(byte[] line, String machine, Set<UnitName> units) throws InvalidJsonException {
    JournalEntry entry = JournalEntry.parse(line);
    Optional<String> unit =
        UNIT_FIELDS.stream()
            .flatMap(field -> entry.field(field).stream())
            .filter(name -> units.stream().anyMatch(known -> known.value().equals(name)))
            .findFirst();
    ByteArrayOutputStream whole = new ByteArrayOutputStream(line.length + 100);
    whole.writeBytes(("{" + field(JournalEntry.MACHINE, machine)).getBytes(UTF_8));
    unit.ifPresent(
        name -> whole.writeBytes(("," + field(JournalEntry.UNIT, name)).getBytes(UTF_8)));
    whole.write(',');
    whole.write(line, 1, line.length - 1);
    whole.write('\n');
    return new Entry(whole.toByteArray(), entry.realtimeMicros(), entry.cursor());
  }

  static byte[] notice(String machine, String text) {
    return ("{"
            + field(JournalEntry.MACHINE, machine)
            + ","
            + field(JournalEntry.NOTICE, text)
            + "}\n")
        .getBytes(UTF_8);
  }

  /** A notice about no machine in particular. */
  static byte[] notice(String text) {
    return ("{" + field(JournalEntry.NOTICE, text) + "}\n").getBytes(UTF_8);
  }

  private static String field(String name, String value) {
    return "\"" + name + "\":\"" + escaped(value) + "\"";
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        escaped.append('\\').append(c);
      } else {
        escaped.append(c < ' ' ? ' ' : c);
      }
    }
    return escaped.toString();
  }
}
