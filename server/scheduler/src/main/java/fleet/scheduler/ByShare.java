package fleet.scheduler;

import fleet.core.machine.Resources;

/**
 * Compares machines by their reserved share including the unit, and equals by the number of their
 * units.
 */
final class ByShare implements Strategy {

  /** The smallest first. */
  static final Strategy SPREAD = new ByShare("spread", "emptiest", true);

  /** The largest first: others stay free for large units. */
  static final Strategy BIN_PACK = new ByShare("binpack", "fullest", false);

  private final String name;
  private final String first;
  private final boolean isEven;

  private ByShare(String name, String first, boolean isEven) {
    this.name = name;
    this.first = first;
    this.isEven = isEven;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int standing(MachineInfo machine) {
    int share = UsedShare.of(machine.reserved(), machine.size().resources());
    return ordered(UsedShare.withLoad(share, machine.load()));
  }

  @Override
  public int adds(Demand demand, Resources total) {
    return ordered(UsedShare.of(demand.requirements().reservation().on(total), total));
  }

  private int ordered(int share) {
    return isEven ? share : -share;
  }

  @Override
  public boolean isEven() {
    return isEven;
  }

  @Override
  public String reason(Demand demand, MachineInfo machine) {
    return first
        + " of the machines that fit: "
        + UsedShare.inWords(machine.reserved(), machine.machine().total())
        + ", "
        + machine.loadInWords()
        + " on it";
  }
}
