package fleet.api;

import fleet.cluster.request.ApiRequest;
import fleet.core.access.Action;
import fleet.core.access.Decision;
import fleet.core.access.Target;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes refused requests to the log of fleetd, for whoever debugs: the audit log has them. */
final class LoggedRefusals implements DecisionLog {

  private static final Logger LOG = LoggerFactory.getLogger(LoggedRefusals.class);

  @Override
  public void decided(ApiRequest request, Action action, Target target, Decision decision) {
    if (decision instanceof Decision.Refused refused) {
      LOG.debug("refused: {}", refused.because());
    }
  }
}
