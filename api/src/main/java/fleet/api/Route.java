package fleet.api;

import fleet.core.access.Action;
import fleet.core.access.Target;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.util.List;

/**
 * What answers a request, and where.
 *
 * @param action what the subject has to be allowed
 * @param target what that is about, as far as the path says
 * @param where which fleetd can
 * @param isRepeatable whether to do it twice is to do it once
 */
record Route(Action action, Target target, Where where, Work work, boolean isRepeatable) {

  /** Which fleetds have what an answer takes. */
  enum Where {
    /** Any. */
    HERE,
    /** Those that have the registry. */
    SERVER,
    /** The one that leads: what machines tell it is nowhere else. */
    LEADER
  }

  /** Answers. */
  @FunctionalInterface
  interface Work {
    void answer(Exchange exchange) throws IOException, InterruptedException;
  }

  static Route here(Action action, Work work) {
    return new Route(action, Target.SOMETHING, Where.HERE, work, true);
  }

  static Route server(Action action, Work work) {
    return new Route(action, Target.SOMETHING, Where.SERVER, work, true);
  }

  static Route leader(Action action, Work work) {
    return new Route(action, Target.SOMETHING, Where.LEADER, work, true);
  }

  /** The same, but a request of this method is never carried out twice. */
  Route once(String asked, String method) {
    return new Route(action, target, where, work, isRepeatable && !asked.equals(method));
  }

  /** The same, about the cluster as a whole. */
  Route ofCluster() {
    return new Route(action, Target.CLUSTER, where, work, isRepeatable);
  }

  /** The same, about a unit; a name that no unit can have is refused by the work. */
  Route of(String unit) {
    try {
      Target named = new Target.OfUnit(UnitName.of(unit), List.of());
      return new Route(action, named, where, work, isRepeatable);
    } catch (InvalidUnitNameException e) {
      return this;
    }
  }

  /** Of something that the leader tells, and that whoever has the registry changes. */
  static Route readOrChange(String method, Action change, Work work) {
    return method.equals("GET") ? leader(Action.LIST, work) : server(change, work);
  }
}
