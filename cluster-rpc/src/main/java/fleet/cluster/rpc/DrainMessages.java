package fleet.cluster.rpc;

import fleet.cluster.DrainProgress.OfUnit;
import fleet.cluster.DrainProgress.Standing;
import fleet.core.machine.Drain;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.FoundDrain;
import fleet.rpc.v1.FoundDrainedUnit;

/** Machines that are drained, as messages. */
final class DrainMessages {

  private DrainMessages() {}

  static FoundDrain message(Drain drain) {
    return FoundDrain.newBuilder()
        .setMaxUnavailable(drain.maxUnavailable())
        .setBy(drain.by())
        .build();
  }

  static Drain drain(FoundDrain message) throws MalformedMessageException {
    return new Drain(maxUnavailable(message.getMaxUnavailable()), message.getBy());
  }

  static int maxUnavailable(int number) throws MalformedMessageException {
    if (number < 1) {
      throw new MalformedMessageException("at least 1 instance may be unavailable, not " + number);
    }
    return number;
  }

  static FoundDrainedUnit message(OfUnit unit) {
    return FoundDrainedUnit.newBuilder()
        .setUnit(unit.unit().value())
        .setStanding(unit.standing().text())
        .setNext(unit.next())
        .setWhy(unit.why())
        .build();
  }

  /** What only a later version knows is on its way, at least. */
  static OfUnit unit(FoundDrainedUnit message) throws MalformedMessageException {
    return new OfUnit(
        UnitNames.of(message.getUnit()),
        Standing.ofText(message.getStanding()).orElse(Standing.WAITS),
        message.getNext(),
        message.getWhy());
  }
}
