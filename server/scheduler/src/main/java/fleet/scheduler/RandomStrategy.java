package fleet.scheduler;

/** Draws one of the machines that fit: the same one for the same seed, unit and machines. */
public final class RandomStrategy implements Strategy {

  private final long seed;

  public RandomStrategy(long seed) {
    this.seed = seed;
  }

  @Override
  public String name() {
    return "random";
  }

  @Override
  public int standing(MachineInfo machine) {
    return 0;
  }

  @Override
  public boolean isByLot() {
    return true;
  }

  @Override
  public long seed(Demand demand) {
    return seed ^ demand.unit().value().hashCode();
  }

  @Override
  public String reason(Demand demand, MachineInfo machine) {
    return "drawn from the machines that fit: " + machine.loadInWords() + " on it";
  }
}
