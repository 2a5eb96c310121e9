package fleet.fleetctl.command;

import fleet.core.requirements.Glob;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Units by names and patterns; without any, all of them. */
record UnitNameFilter(Set<String> names, List<Glob> patterns) {

  UnitNameFilter {
    names = Set.copyOf(names);
    patterns = List.copyOf(patterns);
  }

  boolean isEmpty() {
    return names.isEmpty() && patterns.isEmpty();
  }

  boolean matches(String unit) {
    return isEmpty()
        || names.contains(unit)
        || patterns.stream().anyMatch(pattern -> pattern.matches(unit));
  }

  /** As fleetd takes them. */
  List<String> texts() {
    return isEmpty()
        ? List.of()
        : Stream.concat(names.stream().sorted(), patterns.stream().map(Glob::pattern)).toList();
  }

  /** The names that are not among these. */
  List<String> missing(Set<String> found) {
    return names.stream().filter(name -> !found.contains(name)).sorted().toList();
  }
}
