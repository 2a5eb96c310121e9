package fleet.agent.usage;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The hierarchies of control groups as they are mounted: one of version 2, several of version 1, or
 * both.
 *
 * @param unified of version 2
 * @param named systemd's own of version 1; if it exists, processes are found in it
 * @param cpuacct of version 1
 * @param memory of version 1
 */
record Hierarchies(
    Optional<Path> unified, Optional<Path> named, Optional<Path> cpuacct, Optional<Path> memory) {

  /** A line of mountinfo: where it is mounted, what, and with which options. */
  private record Mount(Path point, String type, List<String> options) {}

  /**
   * Finds them.
   *
   * @param root {@code /}; another in tests
   */
  static Hierarchies below(Path root) {
    List<Mount> mounts =
        ProcFiles.lines(root.resolve("proc/self/mountinfo"))
            .flatMap(line -> mount(root, line).stream())
            .toList();
    return new Hierarchies(
        mounts.stream().filter(m -> m.type.equals("cgroup2")).map(Mount::point).findFirst(),
        first(mounts, "name=systemd"),
        first(mounts, "cpuacct"),
        first(mounts, "memory"));
  }

  private static Optional<Path> first(List<Mount> mounts, String option) {
    return mounts.stream()
        .filter(mount -> mount.type.equals("cgroup") && mount.options.contains(option))
        .map(Mount::point)
        .findFirst();
  }

  private static Optional<Mount> mount(Path root, String line) {
    int dash = line.indexOf(" - ");
    String[] before = line.split(" ", 6);
    if (dash < 0 || before.length < 6) {
      return Optional.empty();
    }
    String[] after = line.substring(dash + 3).split(" ", -1);
    String point = before[4].replace("\\040", " ");
    return after.length < 3
        ? Optional.empty()
        : Optional.of(
            new Mount(
                root.resolve(point.substring(1)),
                after[0],
                Arrays.asList(after[2].split(",", -1))));
  }

  /** Where a group's processes are listed. */
  Optional<Path> processes() {
    return named.or(() -> unified);
  }
}
