package fleet.core.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A unit as {@code systemctl show} prints it.
 *
 * @param properties by name, without those that differ each time; sets in the order of their words
 */
record ShownUnit(Map<String, String> properties) {

  private static final Pattern VOLATILE =
      Pattern.compile(
          ".*Timestamp.*|.*Monotonic|Memory(Available|Current)|Effective(Memory|Tasks)(High|Max)"
              + "|InvocationID|NeedDaemonReload");

  private static final Pattern SET =
      Pattern.compile(
          "After|Before|Requires|Requisite|Wants|BindsTo|PartOf|Upholds|Conflicts|RequiredBy"
              + "|RequisiteOf|WantedBy|BoundBy|ConsistsOf|UpheldBy|ConflictedBy|Triggers"
              + "|TriggeredBy|OnFailure|OnFailureOf|OnSuccess|OnSuccessOf|RequiresMountsFor"
              + "|WantsMountsFor|Names|(Stop|Reload)PropagatedFrom|Propagates(Stop|Reload)To"
              + "|JoinsNamespaceOf|SliceOf");

  /** The units that a command printed, with an empty line between them. */
  static List<ShownUnit> read(String output) {
    return Arrays.stream(output.strip().split("\n\n", -1)).map(ShownUnit::readOne).toList();
  }

  private static ShownUnit readOne(String block) {
    Map<String, String> properties = new TreeMap<>();
    for (String line : block.split("\n", -1)) {
      int equals = line.indexOf('=');
      String name = equals < 0 ? "" : line.substring(0, equals);
      if (equals >= 0 && !VOLATILE.matcher(name).matches()) {
        String value = line.substring(equals + 1);
        String sorted = SET.matcher(name).matches() ? String.join(" ", words(value)) : value;
        properties.merge(name, sorted, (one, other) -> one + "\n" + other);
      }
    }
    return new ShownUnit(properties);
  }

  /** Empty if systemd shows no such property. */
  String property(String name) {
    return properties.getOrDefault(name, "");
  }

  /** Whether systemd has read the whole file and found nothing to complain about. */
  boolean isLoaded() {
    return property("LoadState").equals("loaded");
  }

  /** Whether systemd gave up reading the file. */
  boolean isRefused() {
    return property("LoadState").equals("error");
  }

  /** The properties that another unit has with another value, with both values. */
  List<String> differences(ShownUnit other) {
    Set<String> names = new TreeSet<>(properties.keySet());
    names.addAll(other.properties.keySet());
    List<String> differences = new ArrayList<>();
    for (String name : names) {
      if (!property(name).equals(other.property(name))) {
        differences.add(name + "=" + property(name) + "\n  but " + other.property(name));
      }
    }
    return differences;
  }

  /** The words of a list; systemctl quotes those with a backslash, and escapes it. */
  static Set<String> words(String value) {
    Set<String> words = new TreeSet<>();
    for (String word : value.split(" ", -1)) {
      words.add(
          word.startsWith("\"")
              ? word.substring(1, word.length() - 1).replace("\\\\", "\\")
              : word);
    }
    return words;
  }
}
