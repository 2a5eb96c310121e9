package fleet.api;

import fleet.cluster.request.ApiRequest;
import fleet.core.access.Action;
import fleet.core.access.Decision;
import fleet.core.access.Target;

/**
 * Hears of every decision about a request, from the fleetd that answers it: of a refusal before the
 * answer, of what was allowed once that is done. Called by the thread that answers. Safe for use by
 * many threads.
 */
@FunctionalInterface
interface DecisionLog {
  void decided(ApiRequest request, Action action, Target target, Decision decision);
}
