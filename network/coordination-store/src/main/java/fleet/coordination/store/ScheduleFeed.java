package fleet.coordination.store;

import fleet.coordination.DeliveredSchedule;
import fleet.coordination.EventLoop;
import fleet.coordination.ScheduleFollower;
import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.records.Keys;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.SettingsRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads this machine's schedule, the global units and this machine's settings for the agent: all of
 * it first, then the changes. Belongs to its loop.
 *
 * <p>An entry whose file is not known yet holds up later entries, so that entries of a unit keep
 * their order. Unreadable entries are left alone, and everything else continues.
 */
final class ScheduleFeed implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ScheduleFeed.class);

  /** How long until a file that was missing or unusable is looked for again. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

  private static final UnitFile NO_FILE = new UnitFile(List.of());

  private final EventLoop loop;
  private final StoreWork work;
  private final Registry registry;
  private final ScheduleFollower follower;
  private final Consumer<Collection<UnitName>> changes;
  private final UnitFileCache files;
  private final Entries placed;
  private final Entries globals;
  private final Settings settings;
  private final List<PrefixFollower> followings;
  private final DeliveredSchedule told = new DeliveredSchedule();

  /** The SHA-256 of the files that entries use. */
  private final Map<UnitName, String> used = new HashMap<>();

  /** The units whose entries or files cannot be read, and why. */
  private final Map<UnitName, String> leftAlone = new HashMap<>();

  private final Set<UnitName> touched = new LinkedHashSet<>();
  private final List<Runnable> onceTold = new ArrayList<>();
  private Machine machine;
  private boolean fetching;

  /** The state of a unit's schedule entry in the store. */
  private sealed interface Found {
    record Nothing() implements Found {}

    record Scheduled(Entry entry, ScheduleRecord record) implements Found {}

    record Unreadable(String why) implements Found {}
  }

  /**
   * @param changes told whose entries have come, changed or gone, before the agent is
   */
  ScheduleFeed(
      EventLoop loop,
      StoreWork work,
      Registry registry,
      Machine machine,
      ScheduleFollower follower,
      Consumer<Collection<UnitName>> changes,
      Consumer<String> onFatal) {
    this.loop = loop;
    this.work = work;
    this.registry = registry;
    this.machine = machine;
    this.follower = follower;
    this.changes = changes;
    this.files = new UnitFileCache(work, registry);
    this.placed = new Entries();
    this.globals = new Entries();
    this.settings = new Settings(Keys.settings(machine.id()));
    this.followings =
        List.of(
            new PrefixFollower(loop, work, registry, Keys.schedules(machine.id()), placed, onFatal),
            new PrefixFollower(loop, work, registry, Keys.GLOBALS, globals, onFatal),
            new PrefixFollower(loop, work, registry, settings.key, settings, onFatal));
  }

  /** Takes over another description of the machine. */
  void present(Machine changed) {
    machine = changed;
    tell();
  }

  /**
   * Reads the schedule of this machine again, since the watch may lag.
   *
   * @param then run once the agent has everything that was stored at the call
   */
  void catchUp(Runnable then) {
    String prefix = Keys.schedules(machine.id());
    work.begin(
        "reading " + prefix,
        () -> registry.read(prefix),
        snapshot -> {
          onceTold.add(then);
          placed.read(snapshot);
        });
  }

  /** Whether the store has an entry of the unit, readable or not. */
  boolean has(UnitName unit) {
    return find(unit).isPresent();
  }

  private Optional<Entry> find(UnitName unit) {
    return Optional.ofNullable(placed.entries.get(unit))
        .or(() -> Optional.ofNullable(globals.entries.get(unit)));
  }

  /** Passes on changes; with missing files, once these are loaded. */
  private void tell() {
    if (fetching || !placed.read || !globals.read || !settings.read) {
      return;
    }
    Map<UnitName, Found> news = new LinkedHashMap<>();
    Set<String> needed = new HashSet<>();
    for (UnitName unit : touched) {
      Found found = found(unit);
      news.put(unit, found);
      if (found instanceof Found.Scheduled scheduled) {
        needed.add(scheduled.record().sha256());
      }
    }
    touched.clear();
    fetching = true;
    files.fetch(
        needed,
        fetched -> {
          fetching = false;
          takeOver(news, fetched);
          if (touched.isEmpty()) {
            allTold();
          } else {
            tell();
          }
        });
  }

  private void allTold() {
    List<Runnable> waiting = List.copyOf(onceTold);
    onceTold.clear();
    waiting.forEach(Runnable::run);
  }

  private Found found(UnitName unit) {
    Optional<Entry> entry = find(unit);
    if (entry.isEmpty()) {
      return new Found.Nothing();
    }
    try {
      return new Found.Scheduled(entry.get(), ScheduleRecord.of(entry.get()).on(machine.id()));
    } catch (RegistryException e) {
      return new Found.Unreadable(e.getMessage());
    }
  }

  private void takeOver(Map<UnitName, Found> news, Map<String, UnitFileCache.Found> fetched) {
    List<ScheduleEntry> changed = new ArrayList<>();
    Set<UnitName> removed = new HashSet<>();
    news.forEach((unit, found) -> {
      switch (found) {
        case Found.Nothing _ -> {
          leftAlone.remove(unit);
          release(unit);
          if (told.entry(unit).isPresent()) {
            removed.add(unit);
          }
        }
        case Found.Unreadable unreadable -> leaveAlone(unit, unreadable.why());
        case Found.Scheduled scheduled ->
            take(unit, scheduled, fetched.get(scheduled.record().sha256()), changed);
      }
    });
    Machine seen = settings.record.applyTo(machine);
    told.tell(seen, changed, removed, OrderedCopy.of(leftAlone.keySet()), follower);
  }

  private void take(
      UnitName unit,
      Found.Scheduled scheduled,
      UnitFileCache.@Nullable Found file,
      List<ScheduleEntry> changed) {
    ScheduleRecord record = scheduled.record();
    switch (file) {
      case UnitFileCache.Found.File usable -> {
        files.use(record.sha256(), usable.file());
        release(unit);
        used.put(unit, record.sha256());
        put(entry(unit, scheduled, usable.file()), changed);
      }
      case UnitFileCache.Found.Unusable unusable when record.target() == TargetState.STOPPING -> {
        // The file may be gone already if no unit names it any more; stopping needs none.
        log.debug("coordination: {} is stopped without its file: {}", unit, unusable.why());
        release(unit);
        put(entry(unit, scheduled, NO_FILE), changed);
      }
      case UnitFileCache.Found.Unusable unusable -> {
        leaveAlone(unit, unusable.why());
        loop.postAfter(LOOK_AGAIN, () -> lookAgain(unit));
      }
      case null -> throw new IllegalStateException("no file was fetched for " + unit);
    }
  }

  private static ScheduleEntry entry(UnitName unit, Found.Scheduled scheduled, UnitFile file) {
    ScheduleRecord record = scheduled.record();
    return new ScheduleEntry(
        unit,
        record.incarnation(),
        file,
        record.target(),
        record.restartCounter(),
        scheduled.entry().key().startsWith(Keys.GLOBALS),
        scheduled.entry().modified(),
        record.overcommit(),
        record.require());
  }

  private void put(ScheduleEntry entry, List<ScheduleEntry> changed) {
    leftAlone.remove(entry.unit());
    if (told.entry(entry.unit()).filter(entry::equals).isEmpty()) {
      changed.add(entry);
    }
  }

  private void release(UnitName unit) {
    String file = used.remove(unit);
    if (file != null) {
      files.release(file);
    }
  }

  private void leaveAlone(UnitName unit, String why) {
    if (!why.equals(leftAlone.put(unit, why))) {
      log.error("coordination: {} is left alone on this machine: {}", unit, why);
    }
  }

  private void lookAgain(UnitName unit) {
    if (leftAlone.containsKey(unit)) {
      touched.add(unit);
      tell();
    }
  }

  @Override
  public void close() {
    followings.forEach(PrefixFollower::close);
  }

  /** The entries below one prefix, by unit. */
  private final class Entries implements PrefixFollower.Listener {
    private final Map<UnitName, Entry> entries = new HashMap<>();
    private boolean read;

    /** The known revision of the store; earlier changes are ignored. */
    private long knownAt;

    @Override
    public void read(Snapshot snapshot) {
      if (snapshot.revision() < knownAt) {
        tell();
        return;
      }
      knownAt = snapshot.revision();
      Set<UnitName> concerned = new LinkedHashSet<>(entries.keySet());
      entries.clear();
      for (Entry entry : snapshot.entries()) {
        unit(entry.key())
            .ifPresent(unit -> {
              entries.put(unit, entry);
              concerned.add(unit);
            });
      }
      read = true;
      concern(concerned);
    }

    @Override
    public void changed(Delta delta) {
      if (delta.revision() <= knownAt) {
        return;
      }
      knownAt = delta.revision();
      Set<UnitName> concerned = new LinkedHashSet<>();
      for (Change change : delta.changes()) {
        unit(change.key())
            .ifPresent(unit -> {
              concerned.add(unit);
              switch (change) {
                case Change.Written written -> entries.put(unit, written.entry());
                case Change.Deleted _ -> entries.remove(unit);
              }
            });
      }
      concern(concerned);
    }

    private Optional<UnitName> unit(String key) {
      try {
        return Optional.of(Keys.unitOf(key));
      } catch (RegistryException e) {
        log.error("coordination: {}; it is left alone", e.getMessage());
        return Optional.empty();
      }
    }

    private void concern(Set<UnitName> units) {
      touched.addAll(units);
      if (placed.read && globals.read) {
        changes.accept(units);
      }
      tell();
    }
  }

  /** The settings that people gave this machine through the API. */
  private final class Settings implements PrefixFollower.Listener {
    private final String key;
    private SettingsRecord record = SettingsRecord.NONE;
    private boolean read;

    Settings(String key) {
      this.key = key;
    }

    @Override
    public void read(Snapshot snapshot) {
      read = true;
      take(snapshot.entries().stream().filter(entry -> entry.key().equals(key)).findFirst());
    }

    @Override
    public void changed(Delta delta) {
      for (Change change : delta.changes()) {
        if (change.key().equals(key)) {
          take(
              change instanceof Change.Written(Entry entry)
                  ? Optional.of(entry)
                  : Optional.empty());
        }
      }
    }

    private void take(Optional<Entry> entry) {
      try {
        record = entry.map(SettingsRecord::of).orElse(SettingsRecord.NONE);
      } catch (RegistryException e) {
        log.error("coordination: {}; this machine keeps the settings it has", e.getMessage());
      }
      tell();
    }
  }
}
