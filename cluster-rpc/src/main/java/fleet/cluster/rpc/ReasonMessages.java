package fleet.cluster.rpc;

import fleet.cluster.Reasons;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.FoundReasons;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Why units are where they are, as messages. */
final class ReasonMessages {

  private ReasonMessages() {}

  static FoundReasons message(Reasons reasons) {
    FoundReasons.Builder message =
        FoundReasons.newBuilder()
            .setUnit(reasons.unit().value())
            .setStanding(reasons.standing().text())
            .setReason(reasons.reason())
            .setMachines(reasons.machines())
            .addAllRequire(reasons.require());
    reasons.machine().ifPresent(message::setMachine);
    reasons.obstacles().forEach(obstacle -> message.addObstacles(message(obstacle)));
    reasons.nearest().ifPresent(miss -> message.setNearest(message(miss)));
    reasons
        .contenders()
        .forEach(one -> message.addContenders(ofMachine(one.machine(), one.reason())));
    return message.build();
  }

  private static FoundReasons.Obstacle message(Reasons.Obstacle obstacle) {
    FoundReasons.Obstacle.Builder message =
        FoundReasons.Obstacle.newBuilder().setRule(obstacle.rule()).setText(obstacle.text());
    obstacle.machines().forEach((machine, text) -> message.addMachines(ofMachine(machine, text)));
    return message.build();
  }

  private static FoundReasons.Miss message(Reasons.Miss miss) {
    return FoundReasons.Miss.newBuilder()
        .setMachine(miss.machine())
        .addAllVerdicts(miss.verdicts())
        .setChange(miss.change())
        .build();
  }

  private static FoundReasons.OfMachine ofMachine(String machine, String text) {
    return FoundReasons.OfMachine.newBuilder().setMachine(machine).setText(text).build();
  }

  static Reasons reasons(FoundReasons message) throws MalformedMessageException {
    Reasons.Standing standing =
        Reasons.Standing.ofText(message.getStanding())
            .orElseThrow(() ->
                new MalformedMessageException(
                    "\"" + message.getStanding() + "\" is nothing that a unit can be"));
    return new Reasons(
        UnitNames.of(message.getUnit()),
        standing,
        message.hasMachine() ? Optional.of(message.getMachine()) : Optional.empty(),
        message.getReason(),
        message.getMachines(),
        message.getObstaclesList().stream().map(ReasonMessages::obstacle).toList(),
        message.hasNearest() ? Optional.of(miss(message.getNearest())) : Optional.empty(),
        message.getContendersList().stream()
            .map(one -> new Reasons.Contender(one.getMachine(), one.getText()))
            .toList(),
        message.getRequireList());
  }

  private static Reasons.Obstacle obstacle(FoundReasons.Obstacle message) {
    SortedMap<String, String> machines = new TreeMap<>();
    message.getMachinesList().forEach(one -> machines.put(one.getMachine(), one.getText()));
    return new Reasons.Obstacle(message.getRule(), message.getText(), machines);
  }

  private static Reasons.Miss miss(FoundReasons.Miss message) {
    return new Reasons.Miss(message.getMachine(), message.getVerdictsList(), message.getChange());
  }
}
