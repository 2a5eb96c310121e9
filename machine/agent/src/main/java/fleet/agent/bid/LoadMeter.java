package fleet.agent.bid;

import fleet.agent.usage.ProcFiles;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures how busy this machine is right now. Safe for use by many threads.
 *
 * @param root {@code /}; another in tests
 * @param disk on the file system that counts
 */
public record LoadMeter(Path root, Path disk) {

  private static final long KIB = 1024;
  private static final double PERCENT = 100;

  /** The share of the last ten seconds during which some task waited. */
  private static final Pattern SOME = Pattern.compile("some avg10=(\\d+\\.\\d+)");

  MachineLoad measure() {
    Path memory = root.resolve("proc/meminfo");
    return new MachineLoad(
        pressure("cpu"),
        pressure("memory"),
        kibibytes(memory, "MemTotal:"),
        kibibytes(memory, "MemAvailable:"),
        space(FileStore::getTotalSpace),
        space(FileStore::getUsableSpace));
  }

  /** Empty if the kernel has no pressure metrics, which is a boot option. */
  private OptionalDouble pressure(String of) {
    Matcher some =
        SOME.matcher(ProcFiles.text(root.resolve("proc/pressure").resolve(of)).orElse(""));
    return some.find()
        ? OptionalDouble.of(Math.min(PERCENT, Double.parseDouble(some.group(1))))
        : OptionalDouble.empty();
  }

  private static OptionalLong kibibytes(Path file, String name) {
    OptionalLong number = ProcFiles.number(file, name);
    return number.isPresent() ? OptionalLong.of(KIB * number.getAsLong()) : number;
  }

  private interface Space {
    long of(FileStore store) throws IOException;
  }

  private OptionalLong space(Space space) {
    try {
      return OptionalLong.of(space.of(Files.getFileStore(disk)));
    } catch (IOException gone) {
      return OptionalLong.empty();
    }
  }
}
