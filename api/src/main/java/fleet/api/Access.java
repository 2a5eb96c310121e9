package fleet.api;

import fleet.cluster.request.ApiRequest;
import fleet.core.access.AccessPolicy;
import fleet.core.access.Action;
import fleet.core.access.Decision;
import fleet.core.access.Subject;
import fleet.core.access.Target;

/** What one request may do, by the grants of the moment when it came. */
final class Access {

  private final ApiRequest request;
  private final Subject subject;
  private final AccessPolicy policy;
  private final DecisionLog log;

  Access(ApiRequest request, AccessPolicy policy, DecisionLog log) {
    this.request = request;
    this.subject = request.subject();
    this.policy = policy;
    this.log = log;
  }

  /**
   * Decides about something, and has that written down.
   *
   * @throws RefusedException if the subject may not
   */
  void require(Action action, Target target) {
    record(action, target);
    refuse(policy.decide(subject, action, target));
  }

  /**
   * Decides before it is known what a request is about. If the subject may do it to a part of the
   * cluster, each unit and machine that it is about is decided by itself.
   *
   * @throws RefusedException if the subject may not at all; that is written down
   */
  void expect(Action action, Target target) {
    Target least = target instanceof Target.Cluster ? target : Target.SOMETHING;
    if (!allows(action, least)) {
      require(action, target);
    }
  }

  /** Has a decision written down. */
  void record(Action action, Target target) {
    log.decided(request, action, target, policy.decide(subject, action, target));
  }

  private static void refuse(Decision decision) {
    if (decision instanceof Decision.Refused refused) {
      throw new RefusedException(403, refused.text());
    }
  }

  /** Decides whether the answer has something in it. */
  boolean allows(Action action, Target target) {
    return policy.allows(subject, action, target);
  }

  /** Whether the subject may do something on a part of the cluster only, or not at all. */
  boolean isLimited(Action action) {
    return !allows(action, Target.CLUSTER);
  }
}
