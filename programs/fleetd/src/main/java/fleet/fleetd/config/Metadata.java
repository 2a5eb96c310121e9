package fleet.fleetd.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The metadata of this machine as configured: {@code region=eu, disk=ssd}.
 *
 * @param values the last one of a key counts
 * @param dropped items that are no pair, as written
 */
record Metadata(Map<String, String> values, List<String> dropped) {

  static Metadata parse(String text) {
    Map<String, String> values = new TreeMap<>();
    List<String> dropped = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      int equals = item.indexOf('=');
      String key = equals < 0 ? "" : item.substring(0, equals).strip();
      if (!key.isEmpty()) {
        values.put(key, item.substring(equals + 1).strip());
      } else if (!item.isBlank()) {
        dropped.add(item.strip());
      }
    }
    return new Metadata(values, List.copyOf(dropped));
  }
}
