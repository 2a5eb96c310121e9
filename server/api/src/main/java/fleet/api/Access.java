package fleet.api;

import fleet.cluster.AccessGrants;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.UnitView;
import fleet.core.access.AccessDecision;
import fleet.core.access.AccessPolicy;
import fleet.core.access.AccessRole;
import fleet.core.access.Action;
import fleet.core.access.Grant;
import fleet.core.access.Subject;
import fleet.core.access.Target;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rights of one request, by the grants at the time of its arrival; an endless answer ends when
 * they change. For one thread.
 */
final class Access {

  private static final Logger LOG = LoggerFactory.getLogger(Access.class);

  private final Subject subject;

  /** The grants that count; empty if none could change anything. */
  private final Optional<AccessGrants> grants;

  private final AccessPolicy policy;

  /**
   * Reads the grants, unless the subject may do everything by itself.
   *
   * @param grants empty if they are not known
   */
  Access(Subject subject, Optional<AccessGrants> grants) {
    this.subject = subject;
    this.grants =
        grants.filter(_ -> !AccessPolicy.NO_GRANTS.allows(subject, Action.ACCESS, Target.CLUSTER));
    this.policy = policy();
  }

  private AccessPolicy policy() {
    List<Grant> all =
        grants
            .map(known -> known.list().stream().map(AccessGrants.Given::grant).toList())
            .orElse(List.of());
    return new AccessPolicy(all).onlyFor(subject);
  }

  /**
   * Decides about something. The refusal is written down with the answer ({@link AuditedAnswer}).
   *
   * @throws RefusedException if the subject may not
   */
  void require(Action action, Target target) {
    if (policy.decide(subject, action, target) instanceof AccessDecision.Refused refused) {
      throw new RefusedException(subject instanceof Subject.Stranger ? 401 : 403, refused.text());
    }
  }

  /**
   * Decides before the target of a request is known. If the subject may do it to a part of the
   * cluster, each unit and machine is decided separately.
   *
   * @throws RefusedException if the subject may not at all
   */
  void expect(Action action, Target target) {
    Target least = target instanceof Target.Cluster ? target : Target.SOMETHING;
    if (!allows(action, least)) {
      require(action, target);
    }
  }

  /** Decides whether the answer includes something. */
  boolean allows(Action action, Target target) {
    return policy.allows(subject, action, target);
  }

  /** Whether the subject may do something on a part of the cluster only, or not at all. */
  boolean isLimited(Action action) {
    return !allows(action, Target.CLUSTER);
  }

  /** The highest role that the subject has, be it on a part of the cluster only. */
  Optional<AccessRole> role() {
    return policy.of(subject).stream().map(Grant::role).max(Comparator.naturalOrder());
  }

  /** Whether the answer includes the text of a unit. */
  boolean reads(UnitView view, Targets targets) {
    return !isLimited(Action.CAT) || allows(Action.CAT, targets.of(view));
  }

  /** Whether no grant of the subject is limited to some units. */
  boolean seesAllUnits() {
    return policy.of(subject).stream().allMatch(grant -> grant.units().isEmpty());
  }

  // ---- answers without an end

  /**
   * Follows the grants from now on.
   *
   * @param changed runs, by any thread, if the subject's grants have changed, or are unknown
   */
  AccessGrants.Following follow(Runnable changed) {
    if (grants.isEmpty()) {
      return () -> {};
    }
    Runnable look =
        () -> {
          if (hasOthers()) {
            changed.run();
          }
        };
    AccessGrants.Following following =
        grants.get().follow(() -> Thread.ofVirtual().name("access").start(look));
    // They may have changed before they were followed.
    look.run();
    return following;
  }

  private boolean hasOthers() {
    try {
      return !policy().equals(policy);
    } catch (ClusterUnavailableException e) {
      LOG.debug("grants are not known: {}", e.getMessage());
      return true;
    }
  }
}
