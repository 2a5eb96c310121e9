package fleet.api;

import fleet.cluster.UnitRevision;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.entities.HistoryEntity;
import fleet.entities.RevisionEntity;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The contents that a unit has had, for those who may read its text. */
final class HistoryResource {

  /** Names a revision whose text is wanted; repeated for several. */
  static final String REVISION = "revision";

  void read(Exchange exchange, String text) throws IOException {
    UnitName unit = UnitsResource.existing(text);
    Set<Long> wanted = wanted(exchange.parameters(REVISION));
    List<UnitRevision> revisions = exchange.cluster().history(unit, wanted);
    if (revisions.isEmpty()) {
      throw RefusedException.noSuchUnit();
    }
    Set<Long> missing = new TreeSet<>(wanted);
    revisions.forEach(revision -> missing.remove(revision.number()));
    if (!missing.isEmpty()) {
      throw new RefusedException(404, missing(unit, missing.iterator().next(), revisions));
    }
    UnitsResource.auditRead(exchange, text);
    exchange.reply(
        new HistoryEntity(
            revisions.stream()
                .filter(revision -> wanted.isEmpty() || wanted.contains(revision.number()))
                .map(HistoryResource::entity)
                .toList()));
  }

  private static Set<Long> wanted(List<String> texts) {
    Set<Long> wanted = new TreeSet<>();
    for (String text : texts) {
      long number =
          Exchange.wholeNumberOf(text, 1)
              .orElseThrow(() ->
                  RefusedException.badRequest(
                      REVISION + " must be a whole number of at least 1, not " + text));
      wanted.add(number);
    }
    return wanted;
  }

  private static String missing(UnitName unit, long number, List<UnitRevision> revisions) {
    return "%s has no revision %d: it has %s"
        .formatted(
            unit,
            number,
            revisions.reversed().stream()
                .map(revision -> Long.toString(revision.number()))
                .collect(Collectors.joining(", ")));
  }

  private static RevisionEntity entity(UnitRevision revision) {
    return new RevisionEntity(
        revision.number(),
        revision.current() ? true : null,
        revision.hash(),
        revision.created().toString(),
        revision.by(),
        revision.cause(),
        revision.file().map(EntityMapper::options).orElse(List.of()),
        revision
            .file()
            .filter(file -> !file.typedSha256().isEmpty())
            .map(UnitFile::text)
            .orElse(""));
  }
}
