package fleet.scheduler;

import fleet.core.machine.Resources;

/**
 * Prefers the machine with the largest reserved share including the unit, and of equals the one
 * with the most units: others stay free for large units.
 */
public final class BinPack implements Strategy {

  @Override
  public String name() {
    return "binpack";
  }

  @Override
  public int standing(MachineInfo machine) {
    int share = UsedShare.of(machine.reserved(), machine.size().resources());
    return -UsedShare.withLoad(share, machine.load());
  }

  @Override
  public int adds(Demand demand, Resources total) {
    return -UsedShare.of(demand.requirements().reservation().on(total), total);
  }

  @Override
  public String reason(Demand demand, MachineInfo machine) {
    return "fullest of the machines that fit: "
        + UsedShare.inWords(machine.reserved(), machine.machine().total())
        + ", "
        + machine.loadInWords()
        + " on it";
  }
}
