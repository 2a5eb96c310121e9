package fleet.core.requirements;

import fleet.core.machine.Reservation;
import fleet.core.unit.Specifiers;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The requirements of a unit on machines: from its {@code [X-Fleet]} section, specifiers expanded,
 * and from its systemd options about resources and sockets.
 *
 * @param machineId full id or its first eight characters
 * @param machineOf names of units that must be on the same machine; each must hold
 * @param metadata any of the values of a key, for every key; sorted
 * @param conflicts units that must not be on the same machine
 * @param replaces units that make room for this one
 * @param global whether it runs on every machine that fits
 * @param affinities what it wants to be near to, or away from; the soft ones the heaviest first
 * @param spread keys of metadata over whose values the instances of its template are spread
 * @param ports those of the machine that it claims
 * @param maxPerMachine how many instances of its template may be on a machine; zero for any number
 * @param strategy by which a machine is chosen for it, rather than by the cluster's
 * @param reservation what it reserves of its machine
 */
public record Requirements(
    Optional<String> machineId,
    List<String> machineOf,
    Map<String, Set<String>> metadata,
    List<Glob> conflicts,
    List<Glob> replaces,
    boolean global,
    List<Affinity> affinities,
    List<String> spread,
    List<ClaimedPort> ports,
    int maxPerMachine,
    Optional<String> strategy,
    Reservation reservation) {

  private static final Comparator<Affinity> HEAVIEST_FIRST =
      Comparator.comparing(Affinity::soft)
          .thenComparing(Comparator.comparingInt(Affinity::weight).reversed());

  /** Those of a unit that runs anywhere. */
  public static final Requirements NONE =
      new Requirements(
          Optional.empty(),
          List.of(),
          Map.of(),
          List.of(),
          List.of(),
          false,
          List.of(),
          List.of(),
          List.of(),
          0,
          Optional.empty(),
          Reservation.NOTHING);

  private static final Set<String> TRUE = Set.of("true", "yes", "1", "on", "t");
  private static final Set<String> FALSE = Set.of("false", "no", "0", "off", "f");

  public Requirements {
    machineOf = List.copyOf(machineOf);
    metadata = sortedCopy(metadata);
    conflicts = List.copyOf(conflicts);
    replaces = List.copyOf(replaces);
    affinities =
        affinities.isEmpty() ? List.of() : affinities.stream().sorted(HEAVIEST_FIRST).toList();
    spread = List.copyOf(spread);
    ports = List.copyOf(ports);
  }

  /** Reads the requirements of a unit; keys that fleet does not know have no effect. */
  public static Requirements of(UnitName name, UnitFile file) {
    return read(new FleetSection(file, value -> Specifiers.expand(name, value)), file);
  }

  /**
   * Reads the requirements of a unit from its file and beside it.
   *
   * @param require each {@code Option=Value} as if it stood in one more {@code [X-Fleet]} section
   *     at the end of the file
   */
  public static Requirements of(UnitName name, UnitFile file, List<String> require) {
    return of(name, require.isEmpty() ? file : new ExtraRequirements(require).in(file));
  }

  /** Whether all units of a file have the same requirements, independent of their names. */
  public static boolean areSameForAll(UnitFile file) {
    return file.options().stream()
        .noneMatch(option ->
            (FleetSection.isPartOf(option) || FleetSection.isListening(option))
                && Specifiers.isIn(option.value()));
  }

  /**
   * Checks what can be said without knowing the cluster: options that exclude each other, and
   * values that could never mean anything. Specifiers stay unexpanded, for the file of a template
   * has no instance yet.
   *
   * @throws InvalidRequirementsException with the first rule that is broken
   */
  public static void validate(UnitFile file) throws InvalidRequirementsException {
    FleetSection section = new FleetSection(file, UnaryOperator.identity());
    check(section, read(section, file), file);
  }

  /**
   * Checks the file of a unit: as it is written, and, but for a template, as the unit reads it.
   *
   * @throws InvalidRequirementsException with the first rule that is broken
   */
  public static void validate(UnitName name, UnitFile file) throws InvalidRequirementsException {
    validate(file);
    if (!name.isTemplate() && !areSameForAll(file)) {
      checkExpanded(name, file);
    }
  }

  /** For a unit that has a name: its specifiers have a meaning. */
  static void checkExpanded(UnitName name, UnitFile file) throws InvalidRequirementsException {
    FleetSection section = new FleetSection(file, value -> Specifiers.expand(name, value));
    try {
      check(section, read(section, file).besides(name), file);
    } catch (InvalidRequirementsException e) {
      throw new InvalidRequirementsException(
          "with the specifiers of %s replaced: %s".formatted(name, e.getMessage()));
    }
  }

  /** A unit is always where it is itself. */
  private Requirements besides(UnitName name) {
    return new Requirements(
        machineId,
        machineOf.stream().filter(peer -> !peer.equals(name.value())).toList(),
        metadata,
        conflicts,
        replaces,
        global,
        affinities,
        spread,
        ports,
        maxPerMachine,
        strategy,
        reservation);
  }

  private static void check(FleetSection section, Requirements asked, UnitFile file)
      throws InvalidRequirementsException {
    new RequirementsRules(asked, section.metadataEntries(), section.values("Global")).check();
    new ValueRules(section).check();
    new SectionRules(file).check();
    new PeerRules(asked).check();
    new ContradictionRules(asked).check();
    Optional<String> fault = Reservation.fault(file);
    if (fault.isPresent()) {
      throw new InvalidRequirementsException(fault.get());
    }
  }

  /**
   * Checks a file, and what a unit is to ask beside it: options that there are not, that cannot be
   * asked for in this way, or that exclude what the file asks.
   *
   * @param require each {@code Option=Value} of {@code [X-Fleet]}
   * @throws InvalidRequirementsException with the first rule that is broken
   */
  public static void validate(UnitName name, UnitFile file, List<String> require)
      throws InvalidRequirementsException {
    validate(name, file);
    if (!require.isEmpty()) {
      new ExtraRequirements(require).check(name, file);
    }
  }

  /** Warnings about requirements of a valid file that probably were meant to be others. */
  public static List<String> warnings(UnitName name, UnitFile file) {
    return new DoubtfulRequirements(name, file).texts();
  }

  /**
   * The same about what a unit is to ask beside its file.
   *
   * @param require each {@code Option=Value} of {@code [X-Fleet]}
   */
  public static List<String> warnings(UnitName name, List<String> require) {
    return warnings(name, new ExtraRequirements(require).in(new UnitFile(List.of())));
  }

  /** Whether this asks for the unit to be kept apart from the other, by a conflict of its own. */
  public boolean conflictsWith(UnitName other) {
    return anyMatches(conflicts, other);
  }

  /** The affinities that must hold, in the order of the file. */
  public List<Affinity> hardAffinities() {
    if (affinities.isEmpty()) {
      return affinities;
    }
    int hard = 0;
    while (hard < affinities.size() && !affinities.get(hard).soft()) {
      hard++;
    }
    return affinities.subList(0, hard);
  }

  /** The affinities that are given up if they cannot be had, the heaviest first. */
  public List<Affinity> softAffinities() {
    if (affinities.isEmpty()) {
      return affinities;
    }
    return affinities.subList(hardAffinities().size(), affinities.size());
  }

  /** Whether the other unit makes room for the unit that asks this. */
  public boolean replaces(UnitName other) {
    return anyMatches(replaces, other);
  }

  private static boolean anyMatches(List<Glob> globs, UnitName unit) {
    for (Glob glob : globs) {
      if (glob.matches(unit.value())) {
        return true;
      }
    }
    return false;
  }

  private static Requirements read(FleetSection section, UnitFile file) {
    Reservation reservation = Reservation.of(file);
    List<ClaimedPort> ports = new PortClaims(section).all();
    if (section.isEmpty() && ports.isEmpty() && reservation.isNothing()) {
      return NONE;
    }
    return new Requirements(
        section.machineIds().stream().findFirst(),
        section.values("MachineOf", "X-ConditionMachineOf"),
        section.metadata(),
        section.values("Conflicts", "X-Conflicts").stream()
            .flatMap(value -> Arrays.stream(value.split("\\s+")))
            .filter(pattern -> !pattern.isEmpty())
            .map(Glob::new)
            .toList(),
        section.values("Replaces").stream().map(Glob::new).toList(),
        isTrue(section.values("Global")),
        affinities(section),
        section.words("Spread").stream().distinct().toList(),
        ports,
        section.last("MaxPerMachine").flatMap(ValueRules::count).orElse(0),
        section.last("Strategy"),
        reservation);
  }

  /** Values beyond the limit for all of them have no effect, like those that cannot be read. */
  private static List<Affinity> affinities(FleetSection section) {
    List<Affinity> affinities = new ArrayList<>();
    long size = 0;
    for (String value : section.values("Affinity")) {
      size += RegexLimits.size(value);
      if (size <= RegexLimits.SIZE_IN_ALL) {
        AffinityReader.read(value).affinity().ifPresent(affinities::add);
      }
    }
    return affinities;
  }

  static boolean isTruth(String value) {
    String word = value.toLowerCase(Locale.ROOT);
    return TRUE.contains(word) || FALSE.contains(word);
  }

  private static boolean isTrue(List<String> values) {
    return !values.isEmpty() && TRUE.contains(values.getLast().toLowerCase(Locale.ROOT));
  }

  private static Map<String, Set<String>> sortedCopy(Map<String, Set<String>> metadata) {
    if (metadata.isEmpty()) {
      return Map.of();
    }
    Map<String, Set<String>> copy = new TreeMap<>();
    metadata.forEach(
        (key, values) -> copy.put(key, Collections.unmodifiableSet(new TreeSet<>(values))));
    return Collections.unmodifiableMap(copy);
  }
}
