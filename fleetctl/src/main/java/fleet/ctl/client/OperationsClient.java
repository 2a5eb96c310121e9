package fleet.ctl.client;

import fleet.ctl.http.HttpAnswer;
import fleet.ctl.http.HttpRequest;
import fleet.entities.DrainEntity;
import fleet.entities.RebalanceEntity;
import fleet.entities.ReschedulingEntity;
import fleet.entities.RolloutEntity;
import fleet.entities.RolloutsEntity;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Calls for operations that take time: drains, rollouts, rebalances, and the rescheduling of units
 * of lost machines. Safe for use by many threads; every call throws {@link FleetException} if
 * fleetd cannot be reached or refuses, or does not know the resource.
 */
public final class OperationsClient {

  private static final String ROLLOUTS = ApiCalls.PREFIX + "/rollouts";
  private static final String RESCHEDULING = ApiCalls.PREFIX + "/rescheduling";
  private static final String REBALANCE = ApiCalls.PREFIX + "/rebalance";
  private static final String WITHOUT_DRAINS = "cannot drain machines";
  private static final String WITHOUT_ROLLOUTS = "knows no rollouts";
  private static final String WITHOUT_REBALANCES = "cannot rebalance units";
  private static final int CONFLICT = 409;

  private final ApiCalls calls;

  OperationsClient(ApiCalls calls) {
    this.calls = calls;
  }

  /** The absent machines and the pause of rescheduling; empty if no machine is absent. */
  public ReschedulingEntity rescheduling() throws FleetException {
    HttpAnswer answer = calls.call(HttpRequest.get(RESCHEDULING));
    return calls.isUnknownResource(answer)
        ? new ReschedulingEntity(List.of(), null)
        : calls.read(ReschedulingEntity.class, answer);
  }

  /** Ends a pause of rescheduling; false where there is none. */
  public boolean resume() throws FleetException {
    HttpAnswer answer = calls.call(HttpRequest.of("POST", RESCHEDULING + "/resume"));
    if (answer.status() == CONFLICT || calls.isUnknownResource(answer)) {
      return false;
    }
    calls.expectSuccess(answer);
    return true;
  }

  // ---- drains

  /**
   * Has the units of a machine go elsewhere from now on; false where it was so already.
   *
   * @param maxUnavailable how many instances of a template may be down at a time for that
   */
  public boolean startDrain(String machine, int maxUnavailable) throws FleetException {
    String path = drainPath(machine) + "?maxUnavailable=" + maxUnavailable;
    return calls.order(HttpRequest.of("POST", path), WITHOUT_DRAINS).status() == 204;
  }

  /** How far a machine is drained; empty where it is not. */
  public Optional<DrainEntity> drain(String machine) throws FleetException {
    return calls.find(DrainEntity.class, calls.call(HttpRequest.get(drainPath(machine))));
  }

  private static String drainPath(String machine) {
    return MachinesClient.path(machine) + "/drain";
  }

  // ---- rollouts

  /**
   * Begins a rollout.
   *
   * @return false where all units have that content already
   */
  public boolean startRollout(String name, RolloutEntity wanted) throws FleetException {
    HttpRequest request = calls.json("PUT", rolloutPath(name), wanted);
    return calls.order(request, WITHOUT_ROLLOUTS).status() == 201;
  }

  /** How far a rollout is, be it over or not; empty where there is none. */
  public Optional<RolloutEntity> rollout(String name) throws FleetException {
    HttpRequest request = HttpRequest.get(rolloutPath(name));
    return calls.find(RolloutEntity.class, calls.call(request, WITHOUT_ROLLOUTS));
  }

  /** The rollouts, without their units. */
  public List<RolloutEntity> rollouts() throws FleetException {
    HttpAnswer answer = calls.call(HttpRequest.get(ROLLOUTS), WITHOUT_ROLLOUTS);
    return Objects.requireNonNullElse(
        calls.read(RolloutsEntity.class, answer).rollouts(), List.of());
  }

  /**
   * Changes the course of a rollout; false where it is so already.
   *
   * @param change {@code pause}, {@code resume} or {@code back}
   */
  public boolean changeRollout(String name, String change) throws FleetException {
    HttpRequest request = HttpRequest.of("POST", rolloutPath(name) + "/" + change);
    return calls.order(request, WITHOUT_ROLLOUTS).status() == 204;
  }

  private static String rolloutPath(String name) {
    return ROLLOUTS + "/" + HttpRequest.escape(name);
  }

  // ---- rebalances

  /**
   * Has units move from machines that have many to machines that have few.
   *
   * @param moves how many units may move; empty for as many as it takes
   * @return what has begun; without who asked for it where nothing had to
   */
  public RebalanceEntity startRebalance(int within, OptionalInt moves, int maxUnavailable)
      throws FleetException {
    String query = "?within=" + within + "&maxUnavailable=" + maxUnavailable;
    String budget = moves.isPresent() ? "&moves=" + moves.getAsInt() : "";
    HttpRequest request = HttpRequest.of("POST", REBALANCE + query + budget);
    return calls.read(RebalanceEntity.class, calls.call(request, WITHOUT_REBALANCES));
  }

  /** How far the last rebalance is, or how it ended; empty where there was none. */
  public Optional<RebalanceEntity> rebalance() throws FleetException {
    HttpRequest request = HttpRequest.get(REBALANCE);
    return calls.find(RebalanceEntity.class, calls.call(request, WITHOUT_REBALANCES));
  }

  /** Has no more units begin to move for a rebalance; false where none goes on. */
  public boolean stopRebalance() throws FleetException {
    return calls.delete(REBALANCE, WITHOUT_REBALANCES);
  }
}
