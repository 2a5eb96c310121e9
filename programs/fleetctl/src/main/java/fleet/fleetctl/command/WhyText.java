package fleet.fleetctl.command;

import fleet.entities.MachineReasonEntity;
import fleet.entities.NearMissEntity;
import fleet.entities.ObstacleEntity;
import fleet.entities.WhyEntity;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.table.Table;
import java.util.List;

/**
 * Why a unit is where it is, in words.
 *
 * @param full whether ids are shown whole, and all machines named
 */
record WhyText(MachineNames machines, boolean full) {

  /** How many machines of one rule are named. */
  private static final int NAMED = 5;

  private String name(String machine) {
    return full ? machines.of(machine, true) : machines.host(machine);
  }

  /** The same for the machines that a text of the cluster mentions. */
  private String text(String text) {
    return full ? text : machines.hostsIn(text);
  }

  String of(WhyEntity why) {
    StringBuilder text = new StringBuilder();
    text.append(headline(why)).append('\n');
    List<String> require = why.require();
    if (!require.isEmpty()) {
      text.append("Additional requirements: ").append(String.join(", ", require)).append('\n');
    }
    contenders(why, text);
    for (ObstacleEntity obstacle : why.obstacles()) {
      text.append(obstacle.rule()).append(": ").append(text(obstacle.text()));
      text.append('\n');
      text.append(table(obstacle.machines(), full ? Integer.MAX_VALUE : NAMED));
    }
    if (why.nearest() != null) {
      nearest(why.nearest(), text);
    }
    return text.toString();
  }

  private String headline(WhyEntity why) {
    String unit = why.unit();
    String reason = text(why.reason());
    return switch (why.standing()) {
      case "placed" ->
          unit + " is on " + name(why.machineID()) + (reason.isEmpty() ? "" : ": " + reason);
      case "global" -> unit + " is global: " + reason;
      case "inactive" -> unit + " is on no machine: " + reason;
      default -> unit + " waits for a place: " + reason;
    };
  }

  private void contenders(WhyEntity why, StringBuilder text) {
    List<MachineReasonEntity> contenders = why.contenders();
    if (contenders.isEmpty()) {
      return;
    }
    boolean global = why.standing().equals("global");
    text.append(title(why, contenders.getFirst())).append('\n');
    text.append(table(contenders, full || !global ? Integer.MAX_VALUE : NAMED));
  }

  private static String title(WhyEntity why, MachineReasonEntity best) {
    return switch (why.standing()) {
      case "global" -> "Machines that it fits:";
      case "inactive" -> "Started now, it would go to the first of these:";
      case "placed" ->
          best.machineID().equals(why.machineID())
              ? "Compared now:"
              : "Placed now, it would go to the first of these; it stays where it is:";
      default -> "It would go to the first of these:";
    };
  }

  private String table(List<MachineReasonEntity> reasons, int atMost) {
    Table table = new Table();
    for (MachineReasonEntity one : reasons.subList(0, Math.min(atMost, reasons.size()))) {
      table.row(List.of("  " + name(one.machineID()), text(one.reason())));
    }
    int more = reasons.size() - atMost;
    return table.render() + (more > 0 ? "  and " + more + " more\n" : "");
  }

  private void nearest(NearMissEntity miss, StringBuilder text) {
    text.append("Nearest: ")
        .append(name(miss.machineID()))
        .append(", which ")
        .append(text(String.join(", and ", miss.reasons())))
        .append('\n');
    text.append("It would be placed there once ").append(text(miss.change())).append('\n');
  }
}
