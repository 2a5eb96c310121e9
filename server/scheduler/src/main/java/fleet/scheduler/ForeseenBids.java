package fleet.scheduler;

/**
 * Stands for {@link BestBid} if no machine can be asked: the least loaded one is assumed to bid
 * best.
 */
final class ForeseenBids implements Strategy {

  @Override
  public String name() {
    return BestBid.NAME;
  }

  @Override
  public int standing(MachineInfo machine) {
    return machine.load();
  }

  @Override
  public String reason(Demand demand, MachineInfo machine) {
    return "one of the machines that fit, whichever bids best: " + machine.loadInWords() + " on it";
  }
}
