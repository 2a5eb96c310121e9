package fleet.core.machine;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitOption;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The resources that a unit reserves of its machine, in systemd's words: {@code MemoryMax=}, before
 * {@code MemoryHigh=}, {@code CPUQuota=} and {@code TasksMax=}; or, to differ from these, by {@code
 * Memory=}, {@code Cores=} and {@code Disk=} of {@code [X-Fleet]}. A resource that the unit does
 * not limit is not reserved.
 */
public record Reservation(Amount cores, Amount memory, Amount disk, Amount tasks) {

  public static final Reservation NOTHING =
      new Reservation(Amount.NOTHING, Amount.NOTHING, Amount.NOTHING, Amount.NOTHING);

  private static final long MEBIBYTE = 1 << 20;
  private static final Amount NONE = Amount.NOTHING;
  private static final String FLEET = "X-Fleet";
  private static final List<String> SECTIONS =
      List.of("Service", "Slice", "Scope", "Socket", "Mount", "Swap");

  private static final String BYTES =
      "an amount: write bytes such as 512M or 1.5G, a share of the machine such as 20%, or infinity"
          + " for none";

  private static final Setting MEMORY_MAX =
      new Setting("MemoryMax", SECTIONS, AmountReader::bytes, BYTES);
  private static final Setting MEMORY_HIGH =
      new Setting("MemoryHigh", SECTIONS, AmountReader::bytes, BYTES);
  private static final Setting CPU_QUOTA =
      new Setting(
          "CPUQuota",
          SECTIONS,
          AmountReader::quota,
          "a share of one processor: write such as 50%, or 200% for two");
  private static final Setting TASKS_MAX =
      new Setting(
          "TasksMax",
          SECTIONS,
          AmountReader::tasks,
          "a number of tasks: write such as 512, a share of the machine such as 10%, or infinity");
  private static final Setting MEMORY =
      new Setting("Memory", List.of(FLEET), AmountReader::bytes, BYTES);
  private static final Setting DISK =
      new Setting("Disk", List.of(FLEET), AmountReader::bytes, BYTES);
  private static final Setting CORES =
      new Setting(
          "Cores",
          List.of(FLEET),
          AmountReader::cores,
          "a number of processors: write such as 2 or 0.5, a share of the machine such as 25%, or"
              + " infinity for none");
  private static final List<Setting> SETTINGS =
      List.of(MEMORY_MAX, MEMORY_HIGH, CPU_QUOTA, TASKS_MAX, MEMORY, DISK, CORES);

  /** An option, the sections it may stand in, its reader, and the form of a valid value. */
  private record Setting(
      String option,
      List<String> sections,
      Function<String, Optional<Amount>> reader,
      String expected) {

    boolean is(UnitOption other) {
      return option.equals(other.name()) && sections.contains(other.section());
    }

    /** The last assignment counts; an empty one takes back those before. */
    Optional<Amount> in(UnitFile file) {
      String last = "";
      for (UnitOption written : file.options()) {
        last = is(written) ? written.valueInOneLine() : last;
      }
      String text = last.strip();
      return text.isEmpty() ? Optional.empty() : reader.apply(text);
    }

    Optional<String> doubt(UnitOption written) {
      String text = written.valueInOneLine().strip();
      Amount amount = reader.apply(text).orElse(NONE);
      String where = "%s \"%s\" of section [%s] is ".formatted(option, text, written.section());
      if (amount.share() > Amount.WHOLE) {
        return Optional.of(where + "more than all that a machine has" + inProcessors(amount));
      }
      return expected.equals(BYTES)
              && text.chars().allMatch(Character::isDigit)
              && amount.fixed() > 0
              && amount.fixed() < MEBIBYTE
          ? Optional.of(where + "so many bytes; did you mean " + text + "M?")
          : Optional.empty();
    }

    private String inProcessors(Amount share) {
      return option.equals("Cores")
          ? "; did you mean "
              + BigDecimal.valueOf(share.share(), 4).stripTrailingZeros().toPlainString()
              + ", a number of processors?"
          : "";
    }

    Optional<String> fault(UnitOption written) {
      String text = written.valueInOneLine().strip();
      return text.isEmpty() || reader.apply(text).isPresent()
          ? Optional.empty()
          : Optional.of(
              "%s \"%s\" of section [%s] is not %s"
                  .formatted(option, text, written.section(), expected));
    }
  }

  /** Reads a unit's reservation; a value that cannot be read counts as not written. */
  public static Reservation of(UnitFile file) {
    Amount cores = CORES.in(file).or(() -> CPU_QUOTA.in(file)).orElse(NONE);
    Amount memory = MEMORY.in(file).orElseGet(() -> limitOfMemory(file));
    Amount disk = DISK.in(file).orElse(NONE);
    Amount tasks = TASKS_MAX.in(file).orElse(NONE);
    var read = new Reservation(cores, memory, disk, tasks);
    return read.isNothing() ? NOTHING : read;
  }

  private static Amount limitOfMemory(UnitFile file) {
    return MEMORY_MAX
        .in(file)
        .filter(max -> !max.isNothing())
        .or(() -> MEMORY_HIGH.in(file))
        .orElse(NONE);
  }

  /** The first value that cannot be read, with what to write instead. */
  public static Optional<String> fault(UnitFile file) {
    for (UnitOption option : file.options()) {
      for (Setting setting : SETTINGS) {
        if (setting.is(option)) {
          Optional<String> fault = setting.fault(option);
          if (fault.isPresent()) {
            return fault;
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Amounts that can be read and were probably meant to be others, in words for people. */
  public static List<String> doubts(UnitFile file) {
    List<String> doubts = new ArrayList<>();
    for (UnitOption option : file.options()) {
      SETTINGS.stream()
          .filter(setting -> setting.is(option))
          .flatMap(setting -> setting.doubt(option).stream())
          .forEach(doubts::add);
    }
    return doubts;
  }

  /** The resources this comes to on a machine that has so much in all. */
  public Resources on(Resources machine) {
    return new Resources(
        cores.of(machine.cpuMillis()),
        memory.of(machine.memory()),
        disk.of(machine.disk()),
        tasks.of(machine.tasks()));
  }

  public boolean isNothing() {
    return cores.isNothing() && memory.isNothing() && disk.isNothing() && tasks.isNothing();
  }
}
