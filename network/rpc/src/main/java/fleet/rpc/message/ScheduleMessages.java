package fleet.rpc.message;

import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.rpc.v1.Entry;
import fleet.rpc.v1.Schedule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parts of schedules, as messages. */
public final class ScheduleMessages {

  private ScheduleMessages() {}

  /** Gathers what goes into one message; each file is in it once. */
  public static final class Writer {

    private final Schedule.Builder message = Schedule.newBuilder();
    private final Map<UnitFile, Integer> files = new HashMap<>();
    private int size;

    public void put(ScheduleEntry entry) {
      message.addEntries(
          Entry.newBuilder()
              .setUnit(entry.unit().value())
              .setIncarnation(entry.incarnation().id())
              .setFile(files.computeIfAbsent(entry.file(), this::add))
              .setTarget(entry.target().text())
              .setRestartCounter(entry.restartCounter())
              .setGlobal(entry.global())
              .setRevision(entry.revision())
              .setOvercommit(
                  entry.overcommit().equals(Overcommit.NONE) ? "" : entry.overcommit().text())
              .addAllRequire(entry.require()));
      for (String asked : entry.require()) {
        size += asked.length();
      }
      size += entry.unit().value().length() + entry.incarnation().id().length() + 32;
    }

    private int add(UnitFile file) {
      String text = file.render();
      size += text.length();
      message.addFiles(text);
      return message.getFilesCount() - 1;
    }

    public void remove(UnitName unit) {
      message.addRemoved(unit.value());
      size += unit.value().length();
    }

    /** About how many bytes the message has so far. */
    public int size() {
      return size;
    }

    /** For what is not about units. */
    public Schedule.Builder message() {
      return message;
    }
  }

  /**
   * The changes in a message.
   *
   * @param unreadable units whose entries are there and cannot be read, with the reason
   */
  public record Change(
      List<ScheduleEntry> entries, Set<UnitName> removed, Map<UnitName, String> unreadable) {}

  /**
   * Reads a message.
   *
   * @param known files that are there already by their text, so that equal ones are kept once
   * @throws MalformedMessageException if it says of no unit what is to become of it
   */
  public static Change change(Schedule message, Map<String, UnitFile> known)
      throws MalformedMessageException {
    List<ScheduleEntry> entries = new ArrayList<>();
    Map<UnitName, String> unreadable = new HashMap<>();
    for (Entry entry : message.getEntriesList()) {
      UnitName unit = UnitNames.of(entry.getUnit());
      try {
        entries.add(entry(unit, entry, message, known));
      } catch (MalformedMessageException e) {
        unreadable.put(unit, e.getMessage());
      }
    }
    Set<UnitName> removed = new HashSet<>();
    for (String unit : message.getRemovedList()) {
      removed.add(UnitNames.of(unit));
    }
    return new Change(entries, removed, unreadable);
  }

  private static ScheduleEntry entry(
      UnitName unit, Entry message, Schedule within, Map<String, UnitFile> known)
      throws MalformedMessageException {
    TargetState target = target(message.getTarget());
    return new ScheduleEntry(
        unit,
        new Incarnation(message.getIncarnation()),
        file(message.getFile(), within, known),
        target,
        message.getRestartCounter(),
        message.getGlobal(),
        message.getRevision(),
        Overcommit.ofText(message.getOvercommit()).orElse(Overcommit.NONE),
        message.getRequireList());
  }

  private static UnitFile file(int index, Schedule within, Map<String, UnitFile> known)
      throws MalformedMessageException {
    if (index < 0 || index >= within.getFilesCount()) {
      throw new MalformedMessageException("its file did not come with it");
    }
    String text = within.getFiles(index);
    UnitFile same = known.get(text);
    if (same != null) {
      return same;
    }
    try {
      UnitFile file = UnitFile.parse(text);
      known.put(text, file);
      return file;
    } catch (UnitFileSyntaxException e) {
      throw new MalformedMessageException("its file is none: " + e.getMessage(), e);
    }
  }

  private static TargetState target(String text) throws MalformedMessageException {
    for (TargetState target : TargetState.values()) {
      if (target.text().equals(text)) {
        return target;
      }
    }
    throw new MalformedMessageException(
        "it has the target state \"%s\", which this fleetd is too old to know: upgrade it"
            .formatted(text));
  }
}
