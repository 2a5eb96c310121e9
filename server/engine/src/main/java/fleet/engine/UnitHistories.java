package fleet.engine;

import fleet.cluster.UnitRevision;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.records.FileRecord;
import fleet.registry.records.HistoryRecord;
import fleet.registry.records.HistoryRecord.Revision;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The histories of units, read from the registry when somebody asks. */
record UnitHistories(Registry registry) {

  private static final Logger log = LoggerFactory.getLogger(UnitHistories.class);

  /**
   * The contents of a unit, newest first; none if there is no such unit.
   *
   * @param texts the numbers of those that are to have their text
   */
  List<UnitRevision> of(UnitName unit, Set<Long> texts) {
    return OptimisticUpdates.available(() -> {
      Optional<Entry> known = registry.get(Keys.unit(unit));
      while (known.isPresent()) {
        Entry before = known.get();
        Optional<Entry> history = registry.get(Keys.history(unit));
        known = registry.get(Keys.unit(unit));
        if (known.filter(now -> now.modified() == before.modified()).isPresent()) {
          return revisions(ContentWrite.readable(unit, history).upTo(UnitRecord.of(before)), texts);
        }
        // Somebody changed the unit while its history was read.
      }
      return List.of();
    });
  }

  private List<UnitRevision> revisions(HistoryRecord history, Set<Long> texts) {
    Revision current = history.revisions().getFirst();
    Map<String, Entry> files =
        registry.get(
            history.revisions().stream()
                .filter(revision -> texts.contains(revision.number()))
                .flatMap(revision -> Stream.of(revision.sha256(), revision.source()))
                .map(Keys::file)
                .collect(Collectors.toSet()));
    return history.revisions().stream()
        .map(revision ->
            new UnitRevision(
                revision.number(),
                revision.equals(current),
                revision.hash(),
                revision.created(),
                revision.by(),
                revision.cause(),
                typed(files, revision.source(), revision.hash())
                    .or(() -> file(files, revision.sha256()))))
        .toList();
  }

  /** The text of a unit as it was typed; empty if there is no such unit, or its text is lost. */
  Optional<String> text(UnitName unit) {
    return OptimisticUpdates.available(() ->
        registry
            .get(Keys.unit(unit))
            .map(UnitRecord::of)
            .flatMap(record ->
                typed(
                    registry.get(Set.of(Keys.file(record.source()))),
                    record.source(),
                    record.hash()))
            .map(UnitFile::text));
  }

  /** Comments that are lost, or are those of another content, are none. */
  private static Optional<UnitFile> typed(Map<String, Entry> files, String source, String hash) {
    return file(files, source).filter(file -> file.hash().equals(hash));
  }

  private static Optional<UnitFile> file(Map<String, Entry> files, String sha256) {
    return Optional.ofNullable(files.get(Keys.file(sha256))).flatMap(UnitHistories::file);
  }

  private static Optional<UnitFile> file(Entry entry) {
    try {
      return Optional.of(UnitFile.typed(FileRecord.of(entry).text()));
    } catch (UnitFileSyntaxException | RegistryException e) {
      log.warn("key {} of the registry is not a unit file: {}", entry.key(), e.getMessage());
      return Optional.empty();
    }
  }
}
