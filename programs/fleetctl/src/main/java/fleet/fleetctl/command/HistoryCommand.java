package fleet.fleetctl.command;

import fleet.entities.RevisionEntity;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Ages;
import fleet.fleetctl.table.Comparators;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.table.ListingView;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the contents that a unit has had. */
@Command(
    name = "history",
    header = "List the last ten contents of a unit",
    customSynopsis = "[-o FORMAT] [--fields=LIST] [--sort=LIST] [-l|--full] [--no-legend] UNIT",
    description = {
      "Newest first; the first is the one that the unit has now. See \"fleetctl diff\" for what",
      "is different, and \"fleetctl rollout undo --to\" for the way back. A text that the unit has",
      "had before becomes its newest revision, and the former revision goes. The history ends",
      "with the unit: destroy takes it away.",
      "Fields: revision, hash, since, by, cause. The cause is submit (start, load and submit),",
      "rollout, or rollout undo; \"-\" if an older fleetd wrote it."
    },
    exitCodeList = {
      "0:the contents were listed",
      "1:there is no such unit, you may not read its text, or fleetd could not be asked"
    },
    footer = {"fleetctl history web.service", "fleetctl history -o json web@1"})
final class HistoryCommand extends UnitsCommand {

  @Mixin ListingOptions look = new ListingOptions();

  @Override
  public int run(CommandEnvironment session) throws CommandException, FleetException {
    ListingView view = look.view(session, listing());
    if (units.size() != 1) {
      throw CommandException.usage("Error: name one unit");
    }
    UnitHistory history = UnitHistory.of(onlooker(session), names(session).getFirst());
    look.print(session.output(), view, listing(), history.revisions());
    return ExitCode.OK;
  }

  private Listing<RevisionEntity> listing() {
    Instant now = Instant.now();
    return new Listing<RevisionEntity>()
        .with(
            "revision",
            revision -> Long.toString(revision.revision()),
            (one, other) -> Long.compare(one.revision(), other.revision()))
        .with("hash", revision -> ListUnitsCommand.hash(revision.hash(), look.full))
        .with(
            "since",
            revision -> Ages.since(revision.created(), now),
            Comparators.by(RevisionEntity::created, Ages.order()))
        .with("by", RevisionEntity::by)
        .with("cause", RevisionEntity::cause)
        .entity(revision -> revision);
  }
}
