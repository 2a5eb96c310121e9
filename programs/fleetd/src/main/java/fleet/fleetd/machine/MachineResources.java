package fleet.fleetd.machine;

import fleet.agent.usage.ProcFiles;
import fleet.core.machine.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Reads what this machine has in all. Values that cannot be read are shown as not known. */
final class MachineResources {

  private static final Pattern CPU = Pattern.compile("cpu\\d+ .*");
  private static final long KIB = 1024;

  private final Path proc;

  /**
   * @param root {@code /}; another in tests
   */
  MachineResources(Path root) {
    this.proc = root.resolve("proc");
  }

  /**
   * Processors that are online, memory, the size of a file system, and how many processes and
   * threads there may be.
   *
   * @param directory on that file system; it need not be there yet
   */
  Resources total(Path directory) {
    long cpus =
        ProcFiles.lines(proc.resolve("stat")).filter(line -> CPU.matcher(line).matches()).count();
    long memory = KIB * ProcFiles.number(proc.resolve("meminfo"), "MemTotal:").orElse(0);
    return new Resources(1000 * cpus, memory, disk(directory.toAbsolutePath()), tasks());
  }

  /** As systemd does: what is lower of the two limits of the kernel. */
  private long tasks() {
    return LongStream.of(number("sys/kernel/pid_max"), number("sys/kernel/threads-max"))
        .filter(limit -> limit > 0)
        .min()
        .orElse(0);
  }

  private long number(String file) {
    // Read at once: the kernel gives of such a file what fits into the first read, and no more.
    try (Stream<String> lines = Files.lines(proc.resolve(file))) {
      return lines.findFirst().map(String::strip).map(Long::parseLong).orElse(0L);
    } catch (IOException | NumberFormatException unknown) {
      return 0;
    }
  }

  private static long disk(Path directory) {
    Path there = directory;
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    try {
      return Files.getFileStore(there).getTotalSpace();
    } catch (IOException unknown) {
      return 0;
    }
  }
}
