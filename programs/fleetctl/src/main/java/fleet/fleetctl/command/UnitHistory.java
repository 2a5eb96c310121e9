package fleet.fleetctl.command;

import fleet.core.unit.UnitFile;
import fleet.entities.RevisionEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.UnitReader;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The contents that a unit has had.
 *
 * @param revisions newest first, at least one
 */
record UnitHistory(FleetClient client, String unit, List<RevisionEntity> revisions) {

  /**
   * Asks for the history of a unit.
   *
   * @throws CommandException if there is no such unit
   */
  static UnitHistory of(FleetClient client, String unit) throws CommandException, FleetException {
    List<RevisionEntity> revisions = client.history(unit);
    if (revisions.isEmpty()) {
      throw CommandException.failed(
          "Error: unit "
              + unit
              + " does not exist"
              + (unit.contains("@.")
                  ? ": name one of its instances, if the template itself is not in the cluster"
                  : ""));
    }
    return new UnitHistory(client, unit, revisions);
  }

  RevisionEntity current() {
    return revisions.getFirst();
  }

  /**
   * A revision by its number.
   *
   * @param number as it was typed
   * @throws CommandException if the unit has none of that number
   */
  RevisionEntity revision(String number) throws CommandException {
    for (RevisionEntity revision : revisions) {
      if (Long.toString(revision.revision()).equals(number)) {
        return revision;
      }
    }
    String known =
        revisions.reversed().stream()
            .map(revision -> Long.toString(revision.revision()))
            .collect(Collectors.joining(", "));
    throw CommandException.failed(
        "Error: %s has no revision \"%s\": it has %s; see \"fleetctl history %s\""
            .formatted(unit, number, known, unit));
  }

  /**
   * The content of a revision.
   *
   * @throws CommandException if the registry has lost it
   */
  UnitFile content(RevisionEntity revision) throws CommandException, FleetException {
    return client
        .revision(unit, revision.revision())
        .filter(found -> !found.options().isEmpty())
        .map(UnitReader::file)
        .orElseThrow(() ->
            CommandException.failed(
                "Error: the text of revision %d of %s is not in the registry any more"
                    .formatted(revision.revision(), unit)));
  }
}
