package fleet.core.access;

import static java.util.Comparator.naturalOrder;
import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The only place that decides who may do what. Subjects have the rights of their grants, and those
 * of their own: see {@link #own}. Everything else is refused.
 *
 * @param grants made by people
 */
public record AccessPolicy(List<Grant> grants) {

  /** The grants of a fleetd that knows none. */
  public static final AccessPolicy NO_GRANTS = new AccessPolicy(List.of());

  private static final int ROOT = 0;

  private static final Map<String, AccessRole> GROUPS =
      Map.of(
          "fleet", AccessRole.ADMIN,
          "fleet-operator", AccessRole.OPERATOR,
          "fleet-viewer", AccessRole.VIEWER);

  /** The strongest first, so that a decision names that. */
  private static final Comparator<Grant> ORDER =
      Comparator.comparing(Grant::isUnlimited)
          .thenComparing(Grant::role)
          .reversed()
          .thenComparing(Grant::holder);

  public AccessPolicy {
    grants = List.copyOf(grants);
  }

  /** Decides whether a subject may do something. */
  public AccessDecision decide(Subject subject, Action action, Target target) {
    if (isLogin(subject, action)) {
      return new AccessDecision.Allowed(
          Grant.implied(
              GrantHolder.Kind.ADDRESS, subject.toString(), AccessRole.VIEWER, "with a code"));
    }
    if (isHealth(subject, action)) {
      return new AccessDecision.Allowed(
          Grant.implied(
              GrantHolder.Kind.USER, subject.toString(), AccessRole.VIEWER, "of this machine"));
    }
    List<Grant> held = of(subject);
    return held.stream()
        .filter(grant -> grant.allows(action, target))
        .findFirst()
        .<AccessDecision>map(AccessDecision.Allowed::new)
        .orElseGet(() -> refused(subject, action, target, held));
  }

  public boolean allows(Subject subject, Action action, Target target) {
    return isLogin(subject, action)
        || isHealth(subject, action)
        || of(subject).stream().anyMatch(grant -> grant.allows(action, target));
  }

  /** Whether the code that a stranger shows is good is for others to say. */
  private static boolean isLogin(Subject subject, Action action) {
    return action == Action.LOGIN && subject instanceof Subject.Stranger;
  }

  /** A user who may open the local socket can see there whether fleetd answers. */
  private static boolean isHealth(Subject subject, Action action) {
    return action == Action.HEALTH && subject instanceof Subject.User;
  }

  /** The same for one subject alone. */
  public AccessPolicy onlyFor(Subject subject) {
    return new AccessPolicy(
        grants.stream()
            .filter(grant -> grant.isOf(subject))
            .map(grant -> grant.asSeenBy(subject))
            .toList());
  }

  /** All grants of a subject, including its own. */
  public List<Grant> of(Subject subject) {
    List<Grant> held = new ArrayList<>(own(subject));
    grants.stream().filter(grant -> grant.isOf(subject)).forEach(held::add);
    held.sort(ORDER);
    return held;
  }

  /** The grants that a subject has by itself. */
  private static List<Grant> own(Subject subject) {
    return switch (subject) {
      case Subject.User user -> ofUser(user);
      case Subject.Person person ->
          person
              .vouched()
              .map(role ->
                  Grant.implied(GrantHolder.Kind.PERSON, person.name(), role, "by api_cafile_role"))
              .stream()
              .toList();
      case Subject.Joined machine -> List.of(ofMachine(machine));
      case Subject.Anybody anybody ->
          List.of(
              Grant.implied(
                  GrantHolder.Kind.ADDRESS, anybody.address(), AccessRole.ADMIN, "by api_listen"));
      case Subject.Stranger _ -> List.of();
      case Subject.Fleetd _ ->
          List.of(Grant.implied(GrantHolder.Kind.USER, "fleetd", AccessRole.VIEWER, "as fleetd"));
    };
  }

  private static List<Grant> ofUser(Subject.User user) {
    List<Grant> held = new ArrayList<>();
    if (user.uid() == ROOT || user.owner()) {
      String origin = user.uid() == ROOT ? "as root" : "as the user that fleetd runs as";
      held.add(Grant.implied(GrantHolder.Kind.USER, user.name(), AccessRole.ADMIN, origin));
    }
    GROUPS.forEach((group, role) -> {
      if (user.groups().contains(group)) {
        held.add(
            Grant.implied(GrantHolder.Kind.GROUP, group, role, "as a member of group " + group));
      }
    });
    return held;
  }

  /** A machine sees what is on it. */
  private static Grant ofMachine(Subject.Joined machine) {
    return new Grant(
        new GrantHolder(GrantHolder.Kind.MACHINE, machine.id()),
        AccessRole.VIEWER,
        List.of(),
        Map.of(),
        Optional.of(machine.id()),
        "as every machine has for itself",
        Set.of());
  }

  private static AccessDecision.Refused refused(
      Subject subject, Action action, Target target, List<Grant> held) {
    return new AccessDecision.Refused(
        "%s may not %s: %s"
            .formatted(
                subject,
                action.words(target),
                held.isEmpty()
                    ? lack(subject, action.role())
                    : lack(subject, action.role(), target, held)),
        command(subject, action, held.isEmpty()));
  }

  private static String lack(Subject subject, AccessRole needed) {
    return switch (subject) {
      case Subject.Stranger _ -> "it has not logged in, see fleetctl login --help";
      case Subject.Person person when person.isLoggedIn() ->
          "this login has ended, as its grant was revoked";
      default -> "that needs the role " + needed.text() + ", and " + subject + " has no role";
    };
  }

  /** Says what is held, which names its limits, and what is needed beyond that. */
  private static String lack(Subject subject, AccessRole needed, Target target, List<Grant> held) {
    boolean isLimit = held.stream().anyMatch(grant -> grant.role().includes(needed));
    AccessRole strongest = held.stream().map(Grant::role).max(naturalOrder()).orElseThrow();
    return "that needs the role %s%s, and %s has only %s%s"
        .formatted(
            needed.text(),
            isLimit ? " for " + target : "",
            subject,
            held.stream().map(Grant::words).collect(joining(" and ")),
            isLimit ? "" : "; " + strongest.allowed());
  }

  private static String command(Subject subject, Action action, boolean hasNone) {
    Optional<String> holder =
        switch (subject) {
          case Subject.User user -> Optional.of("user:" + user.name());
          case Subject.Person person -> Optional.of("person:" + person.name());
          case Subject.Joined machine -> Optional.of("machine:" + machine.id());
          case Subject.Anybody _, Subject.Stranger _, Subject.Fleetd _ -> Optional.empty();
        };
    boolean invites = hasNone && subject instanceof Subject.Person person && person.isLoggedIn();
    return holder
        .map(name ->
            "fleetctl access %s %s --role=%s"
                .formatted(invites ? "invite" : "grant", name, action.role().text()))
        .orElse("");
  }
}
