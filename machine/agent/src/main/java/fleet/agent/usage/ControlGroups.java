package fleet.agent.usage;

import fleet.core.unit.UnitName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Measures units by their control groups, of version 2 or 1, and by their processes if the kernel
 * does not account a group. Reads files only: asking systemd would be several calls a unit.
 */
final class ControlGroups {

  private static final String SLICE = ".slice";

  private final Hierarchies hierarchies;
  private final Processes processes;

  /** The manager's group, relative to where hierarchies are mounted. */
  private final String manager;

  /**
   * @param root {@code /}; another in tests
   * @param manager the group of the manager whose units are measured; empty for the topmost
   */
  ControlGroups(Path root, String manager) {
    this.hierarchies = Hierarchies.below(root);
    this.processes = new Processes(root.resolve("proc"));
    this.manager = relative(manager);
  }

  private static String relative(String group) {
    return group.startsWith("/") ? group.substring(1) : group;
  }

  /** Measures those of the units that have a group, which is: that run. */
  Map<UnitName, Measures> measure(Set<UnitName> units) {
    Map<UnitName, Measures> measured = new HashMap<>();
    hierarchies
        .processes()
        .ifPresent(mounted ->
            find(mounted, units).forEach((unit, group) -> measured.put(unit, measure(group))));
    return measured;
  }

  /** Units stand in slices, however deep, and in nothing else. */
  private Map<UnitName, Path> find(Path mounted, Set<UnitName> units) {
    Map<String, UnitName> wanted = new HashMap<>();
    units.forEach(unit -> wanted.put(unit.value(), unit));
    Map<UnitName, Path> found = new HashMap<>();
    Deque<Path> slices = new ArrayDeque<>(List.of(mounted.resolve(manager)));
    while (!slices.isEmpty()) {
      for (Path group : groupsIn(slices.pop())) {
        String name = String.valueOf(group.getFileName());
        UnitName unit = wanted.get(name);
        if (unit != null) {
          found.put(unit, mounted.relativize(group));
        }
        if (name.endsWith(SLICE)) {
          slices.push(group);
        }
      }
    }
    return found;
  }

  /** None if the slice has gone, as it does with its last unit. */
  private static List<Path> groupsIn(Path slice) {
    try (Stream<Path> groups = Files.list(slice)) {
      return groups.toList();
    } catch (IOException | UncheckedIOException gone) {
      return List.of();
    }
  }

  private Measures measure(Path group) {
    OptionalLong cpu =
        first(
            number(hierarchies.unified(), group, "cpu.stat", "usage_usec ", 1000),
            number(hierarchies.cpuacct(), group, "cpuacct.usage", "", 1));
    OptionalLong memory =
        first(
            number(hierarchies.unified(), group, "memory.current", "", 1),
            number(hierarchies.memory(), group, "memory.usage_in_bytes", "", 1));
    if (cpu.isPresent() && memory.isPresent()) {
      return new Measures(cpu, memory);
    }
    Measures byProcesses = processes.measure(pids(group));
    return new Measures(first(cpu, byProcesses.cpuNanos()), first(memory, byProcesses.memory()));
  }

  private static OptionalLong first(OptionalLong one, OptionalLong other) {
    return one.isPresent() ? one : other;
  }

  private static OptionalLong number(
      Optional<Path> hierarchy, Path group, String file, String name, long factor) {
    return hierarchy
        .map(mounted -> mounted.resolve(group).resolve(file))
        .map(path -> name.isEmpty() ? ProcFiles.number(path) : ProcFiles.number(path, name))
        .filter(OptionalLong::isPresent)
        .map(number -> OptionalLong.of(factor * number.getAsLong()))
        .orElse(OptionalLong.empty());
  }

  /** Those of groups below as well: a service may make groups of its own. */
  private List<String> pids(Path group) {
    Optional<Path> mounted = hierarchies.processes().map(path -> path.resolve(group));
    try (Stream<Path> groups = mounted.isPresent() ? Files.walk(mounted.get()) : Stream.empty()) {
      return groups
          .filter(path -> path.endsWith("cgroup.procs"))
          .map(ProcFiles::lines)
          .flatMap(Function.identity())
          .toList();
    } catch (IOException | UncheckedIOException gone) {
      return List.of();
    }
  }
}
