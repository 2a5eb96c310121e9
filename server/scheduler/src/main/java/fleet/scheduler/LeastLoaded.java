package fleet.scheduler;

/** Prefers the machine with the fewest units. */
public final class LeastLoaded implements Strategy {

  @Override
  public String name() {
    return "least-loaded";
  }

  @Override
  public int standing(MachineInfo machine) {
    return machine.load();
  }

  @Override
  public boolean isEven() {
    return true;
  }

  @Override
  public String reason(Demand demand, MachineInfo machine) {
    return "least loaded of the machines that fit: " + machine.loadInWords() + " on it";
  }

  @Override
  public String comparison(Demand demand, MachineInfo machine, MachineInfo best) {
    return "has " + machine.loadInWords() + ", and " + best.id() + " " + best.loadInWords();
  }
}
