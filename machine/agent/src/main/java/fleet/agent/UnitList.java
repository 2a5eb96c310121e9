package fleet.agent;

import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Several unit names in one line of a message, in order. */
final class UnitList {

  private UnitList() {}

  static String inOneLine(Collection<UnitName> units) {
    return new TreeSet<>(units).stream().map(UnitName::value).collect(Collectors.joining(", "));
  }
}
