package fleet.cluster.rpc;

import fleet.cluster.Event;
import fleet.cluster.Intent;
import fleet.cluster.Plan;
import fleet.cluster.RebalanceProgress.OfUnit;
import fleet.cluster.RebalanceProgress.Standing;
import fleet.cluster.RebalanceStart;
import fleet.core.operation.Evenness;
import fleet.core.operation.Rebalance;
import fleet.core.operation.Rebalance.Move;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.ClusterEvent;
import fleet.rpc.v1.Command;
import fleet.rpc.v1.CommandDone;
import fleet.rpc.v1.FoundEvening;
import fleet.rpc.v1.FoundEvenness;
import fleet.rpc.v1.FoundMove;
import fleet.rpc.v1.FoundRebalance;
import java.util.Arrays;
import java.util.Optional;

/** Rebalances as messages. */
final class RebalanceMessages {

  private RebalanceMessages() {}

  static Command.Rebalance message(Intent.Rebalance wish) {
    return Command.Rebalance.newBuilder()
        .setWithin(wish.within())
        .setMoves(wish.moves())
        .setMaxUnavailable(wish.maxUnavailable())
        .build();
  }

  static Intent.Rebalance wish(Command.Rebalance message) throws MalformedMessageException {
    if (message.getWithin() < 1 || message.getMoves() < 1) {
      throw new MalformedMessageException(
          "machines are evened out within at least 1, with at least 1 move, not %d and %d"
              .formatted(message.getWithin(), message.getMoves()));
    }
    return new Intent.Rebalance(
        message.getWithin(),
        message.getMoves(),
        DrainMessages.maxUnavailable(message.getMaxUnavailable()));
  }

  // ---- what became of it

  static CommandDone message(RebalanceStart start) {
    return CommandDone.newBuilder().setResult(start.kind().name()).addResults(start.text()).build();
  }

  /**
   * The opposite.
   *
   * @throws IllegalArgumentException where only a later version knows such a result
   */
  static RebalanceStart start(CommandDone message) {
    String text = message.getResultsCount() == 0 ? "" : message.getResults(0);
    return new RebalanceStart(RebalanceStart.Kind.valueOf(message.getResult()), text);
  }

  // ---- how far it is

  static FoundRebalance message(Rebalance rebalance, Evenness now) {
    return FoundRebalance.newBuilder()
        .setWithin(rebalance.within())
        .setMaxUnavailable(rebalance.maxUnavailable())
        .setBy(rebalance.by())
        .setStoppedBy(rebalance.stoppedBy())
        .setEnded(rebalance.ended())
        .setNow(message(now))
        .build();
  }

  static Rebalance rebalance(FoundRebalance message) {
    return new Rebalance(
        message.getWithin(),
        message.getMaxUnavailable(),
        message.getBy(),
        message.getStoppedBy(),
        message.getEnded());
  }

  static FoundMove message(OfUnit unit) {
    return FoundMove.newBuilder()
        .setUnit(unit.move().unit().value())
        .setFrom(unit.move().from())
        .setTo(unit.move().to())
        .setStanding(unit.standing().text())
        .setWhy(unit.why())
        .build();
  }

  /** What only a later version knows is on its way, at least. */
  static OfUnit unit(FoundMove message) throws MalformedMessageException {
    return new OfUnit(
        new Move(UnitNames.of(message.getUnit()), message.getFrom(), message.getTo()),
        Standing.ofText(message.getStanding()).orElse(Standing.WAITS),
        message.getWhy());
  }

  static FoundEvenness message(Evenness evenness) {
    return FoundEvenness.newBuilder().setLeast(evenness.least()).setMost(evenness.most()).build();
  }

  static Evenness evenness(FoundEvenness message) {
    return new Evenness(message.getLeast(), message.getMost());
  }

  static FoundEvening message(Plan.Evening evening) {
    return FoundEvening.newBuilder()
        .setBefore(message(evening.before()))
        .setAfter(message(evening.after()))
        .setRest(evening.rest())
        .build();
  }

  static Plan.Evening evening(FoundEvening message) {
    return new Plan.Evening(
        evenness(message.getBefore()), evenness(message.getAfter()), message.getRest());
  }

  // ---- what is told

  static ClusterEvent.RebalanceTold message(Event.RebalanceCommanded told) {
    return ClusterEvent.RebalanceTold.newBuilder()
        .setCommand(told.command().text())
        .setDetails(told.details())
        .setBy(told.by())
        .build();
  }

  /** Empty where only a later version knows such a command. */
  static Optional<Event.Body> told(ClusterEvent.RebalanceTold message) {
    return Arrays.stream(Event.Command.values())
        .filter(command -> command.text().equals(message.getCommand()))
        .findFirst()
        .map(command ->
            new Event.RebalanceCommanded(command, message.getDetails(), message.getBy()));
  }
}
