package fleet.api;

import fleet.core.access.Action;
import fleet.core.access.Target;
import fleet.core.audit.AuditThrottle;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.util.List;

/**
 * The handler of a request, and the fleetds that can run it.
 *
 * @param name what it does, as the audit log has it, such as {@code unit.put}
 * @param action the action that the subject must be allowed
 * @param target of the action, as far as the path names it
 * @param about the same as written in the path, valid or not; empty if it names nothing
 * @param where which fleetds can
 * @param isRepeatable whether doing it twice is the same as doing it once
 */
record Route(
    String name,
    Action action,
    Target target,
    String about,
    Where where,
    Work work,
    boolean isRepeatable) {

  /** The fleetds that can answer. */
  enum Where {
    /** Any. */
    HERE,
    /** The servers, which have the registry. */
    SERVER,
    /** The leader: only it has the reports of machines. */
    LEADER
  }

  /** Answers about the target in the path. */
  @FunctionalInterface
  interface Work {
    void answer(Exchange exchange, String about) throws IOException, InterruptedException;
  }

  /** Answers about the whole cluster. */
  @FunctionalInterface
  interface WholeWork {
    void answer(Exchange exchange) throws IOException, InterruptedException;
  }

  Route(Where where, String name, Action action, Work work) {
    this(name, action, target(action), "", where, work, true);
  }

  Route(Where where, String name, Action action, WholeWork work) {
    this(where, name, action, (Work) (exchange, _) -> work.answer(exchange));
  }

  /** The least that a subject must be allowed the action for. */
  static Target target(Action action) {
    return action.isOfCluster() ? Target.CLUSTER : Target.SOMETHING;
  }

  /** A route to nothing: subjects without rights do not learn that it does not exist. */
  static Route refusing(RefusedException why) {
    WholeWork refusal =
        _ -> {
          throw why;
        };
    return new Route(Where.HERE, "unknown.change", Action.LIST, refusal);
  }

  /** Whether it changes something; then it is audited whatever its outcome. */
  boolean isCommand() {
    return !name.endsWith(AuditThrottle.READ);
  }

  /** The same by a request that only reads. */
  Route reading() {
    String read = name.substring(0, name.indexOf('.')) + AuditThrottle.READ;
    return new Route(read, action, target, about, where, work, isRepeatable);
  }

  /** The same, but never carried out twice. */
  Route once() {
    return new Route(name, action, target, about, where, work, false);
  }

  /** The same, refused; a refusal may be repeated. */
  Route refused(WholeWork refusal) {
    return new Route(
        name, action, target, about, where, (exchange, _) -> refusal.answer(exchange), true);
  }

  /** The same, about the cluster as a whole. */
  Route ofCluster() {
    return new Route(name, action, Target.CLUSTER, about, where, work, isRepeatable);
  }

  /** The same, about what the path names, such as a unit; what else it is, the work finds out. */
  Route about(String text) {
    Target named = target.equals(Target.SOMETHING) ? unit(text) : target;
    return new Route(name, action, named, text, where, work, isRepeatable);
  }

  private static Target unit(String text) {
    return UnitName.parse(text)
        .<Target>map(unit -> new Target.OfUnit(unit, List.of()))
        .orElse(Target.SOMETHING);
  }
}
