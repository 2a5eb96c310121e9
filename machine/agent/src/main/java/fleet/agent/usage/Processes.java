package fleet.agent.usage;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The consumption of processes by {@code /proc}, for groups that the kernel does not account.
 * Processes that ended, and were not waited for by one that lives, are missing from it.
 */
final class Processes {

  private static final long TICK_NANOS = 10_000_000;
  private static final long PAGE = 4096;

  /** Where user time is in {@code stat}, counted behind the name in parentheses. */
  private static final int USER_TIME = 11;

  private static final int TIMES = 4;

  private final Path proc;

  Processes(Path proc) {
    this.proc = proc;
  }

  Measures measure(List<String> pids) {
    return new Measures(
        sum(pids.stream().map(this::cpuNanos)), sum(pids.stream().map(this::memory)));
  }

  private static OptionalLong sum(Stream<OptionalLong> numbers) {
    List<OptionalLong> known = numbers.filter(OptionalLong::isPresent).toList();
    return known.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(known.stream().mapToLong(OptionalLong::getAsLong).sum());
  }

  private OptionalLong cpuNanos(String pid) {
    return ProcFiles.text(proc.resolve(pid).resolve("stat"))
        .map(stat -> stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1))
        .filter(fields -> fields.length >= USER_TIME + TIMES)
        .map(fields ->
            sum(
                Stream.of(fields)
                    .skip(USER_TIME)
                    .limit(TIMES)
                    .map(ProcFiles::parse)
                    .map(ticks -> OptionalLong.of(TICK_NANOS * ticks.orElse(0)))))
        .orElse(OptionalLong.empty());
  }

  private OptionalLong memory(String pid) {
    return ProcFiles.text(proc.resolve(pid).resolve("statm"))
        .map(statm -> statm.split(" ", -1))
        .filter(fields -> fields.length > 2)
        .map(fields -> {
          OptionalLong resident = ProcFiles.parse(fields[1]);
          OptionalLong shared = ProcFiles.parse(fields[2]);
          return resident.isPresent()
              ? OptionalLong.of(PAGE * (resident.getAsLong() - shared.orElse(0)))
              : resident;
        })
        .orElse(OptionalLong.empty());
  }
}
