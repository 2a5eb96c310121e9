package fleet.fleetctl.top;

import fleet.fleetctl.top.UsageBoard.Machine;
import fleet.fleetctl.top.UsageBoard.Unit;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The order of a table of usage: the names on the command line, and a key for each. */
public enum UsageOrder {
  name('n'),
  cpu('c'),
  memory('m'),
  disk('d'),
  units('u');

  private final char key;

  UsageOrder(char key) {
    this.key = key;
  }

  /** The order that a key asks for. */
  public static Optional<UsageOrder> ofKey(int key) {
    return Stream.of(values()).filter(order -> order.key == key).findFirst();
  }

  /** The largest consumers first; equal ones by id. */
  Comparator<Machine> machines() {
    Comparator<Machine> byId = Comparator.comparing(Machine::id);
    return switch (this) {
      case name -> byId;
      case cpu -> most(Machine::cpuUsed, byId);
      case memory -> most(machine -> number(machine.now().memoryUsed()), byId);
      case disk -> most(machine -> number(machine.now().diskUsed()), byId);
      case units -> most(machine -> number(machine.now().unitCount()), byId);
    };
  }

  /** The same of units, whose disk nobody accounts. */
  Comparator<Unit> unitsOfAll() {
    Comparator<Unit> byName = Comparator.comparing(Unit::name).thenComparing(Unit::machine);
    Comparator<Unit> byMemory = most(unit -> number(unit.now().memoryUsed()), byName);
    return switch (this) {
      case name, disk, units -> byName;
      case cpu -> most(Unit::cpuUsed, byMemory);
      case memory -> byMemory;
    };
  }

  private interface Use<T> {
    OptionalLong of(T thing);
  }

  private static <T> Comparator<T> most(Use<T> use, Comparator<T> then) {
    return Comparator.comparingLong((T thing) -> use.of(thing).orElse(0))
        .reversed()
        .thenComparing(then);
  }

  private static OptionalLong number(@Nullable Long number) {
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }
}
