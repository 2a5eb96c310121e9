package fleet.scheduler;

import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A global unit of the cluster. During a rollout, machines up to a bound have the new content of
 * it, which may ask for something else.
 *
 * @param main the demand on all other machines
 * @param update empty if no rollout goes on
 */
public record GlobalDemand(Demand main, Optional<Update> update) {

  /**
   * The demand on the machines that have the new content.
   *
   * @param upTo the id of the last of these machines
   */
  public record Update(String upTo, Demand demand) {}

  /** A unit that asks the same of all machines. */
  public static GlobalDemand of(UnitName unit, Requirements requirements) {
    return new GlobalDemand(new Demand(unit, requirements), Optional.empty());
  }

  /** The same, with another demand on the machines up to one. */
  public GlobalDemand withUpdate(String upTo, Requirements requirements) {
    return new GlobalDemand(
        main, Optional.of(new Update(upTo, new Demand(main.unit(), requirements))));
  }

  /** The demand on one machine. */
  Demand on(String machine) {
    return update
        .filter(other -> machine.compareTo(other.upTo()) <= 0)
        .map(Update::demand)
        .orElse(main);
  }

  /** Each demand that a machine may have. */
  public Stream<Demand> all() {
    return Stream.concat(Stream.of(main), update.map(Update::demand).stream());
  }
}
