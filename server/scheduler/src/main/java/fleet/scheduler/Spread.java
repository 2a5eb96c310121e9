package fleet.scheduler;

import fleet.core.machine.Resources;

/**
 * Prefers the machine with the smallest reserved share including the unit, and of equals the one
 * with the fewest units.
 */
public final class Spread implements Strategy {

  @Override
  public String name() {
    return "spread";
  }

  @Override
  public int standing(MachineInfo machine) {
    int share = UsedShare.of(machine.reserved(), machine.size().resources());
    return UsedShare.withLoad(share, machine.load());
  }

  @Override
  public int adds(Demand demand, Resources total) {
    return UsedShare.of(demand.requirements().reservation().on(total), total);
  }

  @Override
  public boolean isEven() {
    return true;
  }

  @Override
  public String reason(Demand demand, MachineInfo machine) {
    return "emptiest of the machines that fit: "
        + UsedShare.inWords(machine.reserved(), machine.machine().total())
        + ", "
        + machine.loadInWords()
        + " on it";
  }
}
