package fleet.core.access;

import static java.util.stream.Collectors.joining;

import fleet.core.collection.OrderedCopy;
import fleet.core.requirements.Glob;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A role that a name has, on all or some of the cluster.
 *
 * @param units patterns of unit names; empty for all units
 * @param metadata what machines must have; empty for all machines
 * @param machine the only machine; empty for all
 * @param origin the reason of a grant that nobody made, such as "as root"; empty otherwise
 * @param keys SHA-256 of the keys with which its person has logged in; they end with the grant
 */
public record Grant(
    GrantHolder holder,
    AccessRole role,
    List<Glob> units,
    Map<String, String> metadata,
    Optional<String> machine,
    String origin,
    Set<String> keys) {

  public Grant {
    keys = OrderedCopy.of(keys);
    units = List.copyOf(units);
    metadata = OrderedCopy.of(new TreeMap<>(metadata));
  }

  /** A grant that somebody made. */
  public Grant(
      GrantHolder holder, AccessRole role, List<Glob> units, Map<String, String> metadata) {
    this(holder, role, units, metadata, Optional.empty(), "", Set.of());
  }

  /** The same, of a person who has logged in with these keys. */
  public Grant withKeys(Set<String> bound) {
    return new Grant(holder, role, units, metadata, machine, origin, bound);
  }

  /** A grant that a subject has by itself, of all the cluster. */
  static Grant implied(GrantHolder.Kind kind, String name, AccessRole role, String origin) {
    return new Grant(
        new GrantHolder(kind, name), role, List.of(), Map.of(), Optional.empty(), origin, Set.of());
  }

  /**
   * Whether a subject has it. Certificates of the cluster's own count while the grant knows their
   * key: a later grant to the same name knows none of an earlier one.
   */
  boolean isOf(Subject subject) {
    return holder.isOf(subject)
        && (!(subject instanceof Subject.Person person)
            || !person.isLoggedIn()
            || keys.contains(person.key()));
  }

  /** The same as far as a subject can tell: other logins of that person come and go. */
  Grant asSeenBy(Subject subject) {
    return withKeys(
        subject instanceof Subject.Person person && keys.contains(person.key())
            ? Set.of(person.key())
            : Set.of());
  }

  /** Whether it is of all units on all machines. */
  public boolean isUnlimited() {
    return units.isEmpty() && isOfAllMachines();
  }

  private boolean isOfAllMachines() {
    return metadata.isEmpty() && machine.isEmpty();
  }

  boolean allows(Action action, Target target) {
    return role.includes(action.role()) && covers(action, target);
  }

  private boolean covers(Action action, Target target) {
    return switch (target) {
      case Target.Something _ -> true;
      case Target.Cluster _ -> isUnlimited();
      case Target.OfUnit unit -> hasName(unit) && hasPlaces(action, unit.places());
      case Target.OfMachine machineOnly ->
          has(machineOnly.place()) && (action.isReading() || units.isEmpty());
    };
  }

  private boolean hasName(Target.OfUnit target) {
    return units.isEmpty() || units.stream().anyMatch(glob -> glob.matches(target.unit().value()));
  }

  /** A unit may be seen by its place on one machine; a command reaches it on all of them. */
  private boolean hasPlaces(Action action, List<Place> places) {
    return isOfAllMachines()
        || (action.isReading()
            ? places.stream().anyMatch(this::has)
            : !places.isEmpty() && places.stream().allMatch(this::has));
  }

  private boolean has(Place place) {
    return machine.stream().allMatch(place.machine()::equals)
        && place.metadata().entrySet().containsAll(metadata.entrySet());
  }

  /** Names the limits, such as {@code units web@*}; empty if there are none. */
  public String limits() {
    String names = units.stream().map(Glob::pattern).collect(joining(","));
    String machines =
        metadata.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(joining(","));
    return String.join(
        ", ",
        Stream.of(
                names.isEmpty() ? "" : "units " + names,
                machines.isEmpty() ? "" : "machines with " + machines,
                machine.map(id -> "machine " + id).orElse(""))
            .filter(text -> !text.isEmpty())
            .toList());
  }

  /** Names it in one line, such as {@code operator of person:alice, units web@*}. */
  public String text() {
    String limits = limits();
    return role.text() + " of " + holder + (limits.isEmpty() ? "" : ", " + limits);
  }

  /**
   * Says which role its holder has, and from where, such as {@code the role operator for units
   * web@*, by a grant to person:alice}.
   */
  public String words() {
    String limits = limits();
    return "the role "
        + role.text()
        + (limits.isEmpty() ? "" : " for " + limits)
        + ", "
        + (origin.isEmpty() ? "by a grant to " + holder : origin);
  }
}
