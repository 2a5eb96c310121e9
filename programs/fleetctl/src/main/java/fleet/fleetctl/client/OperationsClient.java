package fleet.fleetctl.client;

import fleet.entities.OperationEntity;
import fleet.entities.OperationsEntity;
import fleet.entities.ReschedulingEntity;
import fleet.entities.RolloutRequestEntity;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Calls for operations that take time: drains, rollouts, restarts in turns, rebalances, and the
 * rescheduling of units of lost machines. Safe for use by many threads; every call throws {@link
 * FleetException} if fleetd cannot be reached or refuses, or does not know the resource.
 */
public final class OperationsClient {

  private static final String OPERATIONS = ApiCalls.PREFIX + "/operations";
  private static final String ROLLOUTS = ApiCalls.PREFIX + "/rollouts";
  private static final String RESCHEDULING = ApiCalls.PREFIX + "/rescheduling";
  private static final String REBALANCE = ApiCalls.PREFIX + "/rebalance";
  private static final String WITHOUT_OPERATIONS = "knows no operations";
  private static final String WITHOUT_DRAINS = "cannot drain machines";
  private static final String WITHOUT_ROLLOUTS = "knows no rollouts";
  private static final String WITHOUT_RESTARTS =
      "cannot restart a global unit in turns (--all-at-once restarts it everywhere)";
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

  /** Ends a pause of rescheduling; false if there is none. */
  public boolean resume() throws FleetException {
    HttpRequest request = HttpRequest.of("POST", RESCHEDULING + "/resume");
    HttpAnswer answer = calls.call(request, "never pauses rescheduling");
    if (answer.status() == CONFLICT) {
      return false;
    }
    calls.expectSuccess(answer);
    return true;
  }

  // ---- all kinds

  /** Operations under way, and finished ones that are still known; without their steps. */
  public List<OperationEntity> list() throws FleetException {
    HttpAnswer answer = calls.call(HttpRequest.get(OPERATIONS), WITHOUT_OPERATIONS);
    return calls.read(OperationsEntity.class, answer).operations();
  }

  /** The progress of an operation, over or not; empty if there is none. */
  public Optional<OperationEntity> find(String id) throws FleetException {
    HttpRequest request = HttpRequest.get(path(id));
    return calls.find(OperationEntity.class, calls.call(request, WITHOUT_OPERATIONS));
  }

  /**
   * Changes the course of an operation; false if it is so already.
   *
   * @param change {@code pause}, {@code resume}, {@code revert} or {@code cancel}
   */
  public boolean change(String id, String change) throws FleetException {
    HttpRequest request = HttpRequest.of("POST", path(id) + "/" + change);
    return calls.order(request, WITHOUT_OPERATIONS).status() == 204;
  }

  private static String path(String id) {
    return OPERATIONS + "/" + HttpRequest.escape(id);
  }

  // ---- how they begin

  /**
   * Drains a machine; false if nothing changes.
   *
   * @param maxUnavailable how many instances of a template may be down at a time for that
   */
  public boolean startDrain(String machine, int maxUnavailable) throws FleetException {
    String path = MachinesClient.path(machine) + "/drain?maxUnavailable=" + maxUnavailable;
    return calls.order(HttpRequest.of("POST", path), WITHOUT_DRAINS).status() == 204;
  }

  /** The result of asking for a rollout. */
  public enum Rollout {
    STARTED,
    /** A rollout of the same content is under way. */
    UNDER_WAY,
    /** All units have that content already. */
    NOTHING_TO_DO
  }

  /** Begins a rollout of a template or a unit. */
  public Rollout startRollout(String name, RolloutRequestEntity wanted) throws FleetException {
    HttpRequest request = calls.json("PUT", ROLLOUTS + "/" + HttpRequest.escape(name), wanted);
    return switch (calls.order(request, WITHOUT_ROLLOUTS).status()) {
      case 201 -> Rollout.STARTED;
      case 202 -> Rollout.UNDER_WAY;
      default -> Rollout.NOTHING_TO_DO;
    };
  }

  /**
   * Begins the restart of a global unit on one machine after the other; false if one is under way.
   *
   * @param maxUnavailable on how many machines it may be down at a time for that
   */
  public boolean restartInTurns(String name, int maxUnavailable) throws FleetException {
    String path =
        ApiCalls.PREFIX
            + "/units/%s/restart-in-turns?maxUnavailable=%d"
                .formatted(HttpRequest.escape(name), maxUnavailable);
    return calls.order(HttpRequest.of("POST", path), WITHOUT_RESTARTS).status() == 201;
  }

  /**
   * Begins a rebalance.
   *
   * @param moves how many units may move; empty for as many as needed
   * @return the operation; without an id if nothing has to move
   */
  public OperationEntity startRebalance(int within, OptionalInt moves, int maxUnavailable)
      throws FleetException {
    String query = "?within=" + within + "&maxUnavailable=" + maxUnavailable;
    String budget = moves.isPresent() ? "&moves=" + moves.getAsInt() : "";
    HttpRequest request = HttpRequest.of("POST", REBALANCE + query + budget);
    return calls.read(OperationEntity.class, calls.call(request, WITHOUT_REBALANCES));
  }
}
