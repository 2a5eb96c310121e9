package fleet.scheduler.example;

import fleet.scheduler.Demand;
import fleet.scheduler.MachineInfo;
import fleet.scheduler.Strategy;

/** Prefers the machine with the lowest price an hour, which its metadata says in cents. */
public final class Cheapest implements Strategy {

  private static final int UNKNOWN = Integer.MAX_VALUE;

  @Override
  public String name() {
    return "cheapest";
  }

  @Override
  public int standing(MachineInfo machine) {
    try {
      return Integer.parseUnsignedInt(machine.machine().metadata().getOrDefault("price", ""));
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }

  @Override
  public String reason(Demand demand, MachineInfo machine) {
    return "cheapest of the machines that fit: " + price(machine);
  }

  @Override
  public String comparison(Demand demand, MachineInfo machine, MachineInfo best) {
    return "costs " + price(machine) + ", and " + best.id() + " " + price(best);
  }

  private String price(MachineInfo machine) {
    int cents = standing(machine);
    return cents == UNKNOWN ? "nobody knows what" : cents + " cents an hour";
  }
}
