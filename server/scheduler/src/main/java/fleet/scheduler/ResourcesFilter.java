package fleet.scheduler;

import fleet.core.machine.ResourceText;
import fleet.core.machine.Resources;
import java.util.Optional;

/** Nothing is promised of a machine beyond what it has. */
final class ResourcesFilter implements Filter {

  static final String RULE = "Resources";

  /** The room of a machine of unknown size; large, but safe to add to. */
  private static final long ENDLESS = Long.MAX_VALUE / 2;

  @Override
  public Optional<Rejection> check(Demand demand, MachineInfo machine) {
    return admits(demand, machine)
        ? Optional.empty()
        : judge(machine.reservation(demand), roomFor(demand, machine));
  }

  /** The same by what is asked and what may still be promised. */
  static Optional<Rejection> judge(Resources asked, Resources room) {
    return fits(asked, room)
        ? Optional.empty()
        : Optional.of(
            new Rejection(
                RULE,
                "has no room for",
                "have no room for",
                inWords(asked, shortfall(asked, room))));
  }

  /** Resources that may still be promised; negative if too much is, endless if unknown. */
  static Resources room(Resources capacity, Resources reserved) {
    return new Resources(
        room(capacity.cpuMillis(), reserved.cpuMillis()),
        room(capacity.memory(), reserved.memory()),
        room(capacity.disk(), reserved.disk()),
        room(capacity.tasks(), reserved.tasks()));
  }

  private static long room(long capacity, long reserved) {
    return capacity == 0 ? ENDLESS : capacity - reserved;
  }

  @Override
  public String remedy(Demand demand, MachineInfo machine, Rejection rejection) {
    return "machine %s has %s more room, or the unit asks for that much less"
        .formatted(machine.id(), ResourceText.inWords(shortfall(demand, machine)));
  }

  @Override
  public boolean admits(Demand demand, MachineInfo machine) {
    if (demand.requirements().reservation().isNothing()) {
      return true;
    }
    Resources asked = machine.reservation(demand);
    return fits(asked, machine.room()) || fits(asked, roomFor(demand, machine));
  }

  private static boolean fits(Resources asked, Resources room) {
    return fits(asked.cpuMillis(), room.cpuMillis())
        && fits(asked.memory(), room.memory())
        && fits(asked.disk(), room.disk())
        && fits(asked.tasks(), room.tasks());
  }

  /** A unit without reservations may also come to an overcommitted machine. */
  private static boolean fits(long asked, long room) {
    return asked == 0 || asked <= room;
  }

  /** Room that a unit has there already is its own. */
  private static Resources roomFor(Demand demand, MachineInfo machine) {
    Resources room = machine.room();
    Demand there = machine.demand(demand.unit());
    return there == null ? room : room.plus(machine.reservation(there));
  }

  /** How much more room there would have to be; zero of what there is enough of. */
  static Resources shortfall(Demand demand, MachineInfo machine) {
    return shortfall(machine.reservation(demand), roomFor(demand, machine));
  }

  private static Resources shortfall(Resources asked, Resources room) {
    return new Resources(
        missing(asked.cpuMillis(), room.cpuMillis()),
        missing(asked.memory(), room.memory()),
        missing(asked.disk(), room.disk()),
        missing(asked.tasks(), room.tasks()));
  }

  private static long missing(long asked, long room) {
    return fits(asked, room) ? 0 : asked - room;
  }

  /** The amounts asked of the resources that are short. */
  private static String inWords(Resources asked, Resources shortfall) {
    return ResourceText.inWords(
        new Resources(
            shortfall.cpuMillis() > 0 ? asked.cpuMillis() : 0,
            shortfall.memory() > 0 ? asked.memory() : 0,
            shortfall.disk() > 0 ? asked.disk() : 0,
            shortfall.tasks() > 0 ? asked.tasks() : 0));
  }
}
