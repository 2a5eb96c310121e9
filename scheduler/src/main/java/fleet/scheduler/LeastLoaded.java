package fleet.scheduler;

/** Prefers the machine with the fewest units. */
public final class LeastLoaded implements Strategy {

  @Override
  public long score(Demand demand, MachineView machine) {
    return machine.load();
  }

  @Override
  public boolean isByLoadAlone() {
    return true;
  }

  @Override
  public String reason(Demand demand, MachineView machine) {
    int load = machine.load();
    return "least loaded of the machines that fit: "
        + (load == 0 ? "no unit" : load == 1 ? "1 unit" : load + " units")
        + " on it";
  }
}
