package fleet.cluster.rpc;

import fleet.cluster.Intent;
import fleet.cluster.Plan;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.Command;
import fleet.rpc.v1.FoundChange;
import java.util.HashSet;
import java.util.Set;

/** What somebody thinks of asking for, and what would follow, as messages. */
final class PlanMessages {

  private PlanMessages() {}

  static fleet.rpc.v1.Intent message(Intent intent) {
    fleet.rpc.v1.Intent.Builder message = fleet.rpc.v1.Intent.newBuilder();
    switch (intent) {
      case Intent.Put put -> message.setPuts(PutMessages.message(put.puts()));
      case Intent.Destroy destroy ->
          message.setDestroy(
              fleet.rpc.v1.Intent.Destroy.newBuilder()
                  .addAllUnits(destroy.units().stream().map(UnitName::value).sorted().toList()));
      case Intent.Drain drain ->
          message.setDrain(
              Command.Drain.newBuilder()
                  .setMachine(drain.machine())
                  .setMaxUnavailable(drain.maxUnavailable()));
      case Intent.Lose lose -> message.setLose(lose.machine());
      case Intent.Rebalance wish -> message.setRebalance(RebalanceMessages.message(wish));
    }
    return message.build();
  }

  static Intent intent(fleet.rpc.v1.Intent message) throws MalformedMessageException {
    return switch (message.getWhatCase()) {
      case PUTS -> new Intent.Put(PutMessages.puts(message.getPuts()));
      case DESTROY -> {
        Set<UnitName> units = new HashSet<>();
        for (String name : message.getDestroy().getUnitsList()) {
          units.add(UnitNames.of(name));
        }
        yield new Intent.Destroy(units);
      }
      case DRAIN ->
          new Intent.Drain(
              message.getDrain().getMachine(),
              DrainMessages.maxUnavailable(message.getDrain().getMaxUnavailable()));
      case LOSE -> new Intent.Lose(message.getLose());
      case REBALANCE -> RebalanceMessages.wish(message.getRebalance());
      case WHAT_NOT_SET ->
          throw new MalformedMessageException(
              "fleetd of the leader is too old for this plan: upgrade it");
    };
  }

  static FoundChange message(Plan.Change change) {
    return FoundChange.newBuilder()
        .setUnit(change.unit().value())
        .setKind(change.kind().text())
        .setFrom(change.from())
        .setTo(change.to())
        .setWhy(change.why())
        .build();
  }

  static Plan.Change change(FoundChange message) throws MalformedMessageException {
    Plan.Kind kind =
        Plan.Kind.ofText(message.getKind())
            .orElseThrow(() ->
                new MalformedMessageException(
                    "\"" + message.getKind() + "\" is nothing that can become of a unit"));
    return new Plan.Change(
        UnitNames.of(message.getUnit()),
        kind,
        message.getFrom(),
        message.getTo(),
        message.getWhy());
  }
}
