package fleet.fleetctl.fleet1;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.entities.EntityJson;
import fleet.entities.InvalidJsonException;
import fleet.fleetctl.fleet1.Fleet1Cluster.Fleet1Unit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys of a fleet 1.0 cluster: what etcd's API v2 answers to {@code GET
 * /v2/keys/_coreos.com/fleet?recursive=true}, or to the same of a folder above.
 */
public final class Fleet1Dump {

  private static final Pattern JOB = Pattern.compile("(.*)/job/([^/]+)/object");
  private static final String ACTIVE_STATE = "activeState";

  /** All values by key. */
  private final SortedMap<String, String> values = new TreeMap<>();

  private Fleet1Dump() {}

  /**
   * Reads a dump.
   *
   * @throws InvalidDumpException if it is something else, or has no units
   */
  public static Fleet1Cluster read(byte[] json) throws InvalidDumpException {
    var dump = new Fleet1Dump();
    Map<?, ?> answer = object(json, "the text");
    if (answer.containsKey("errorCode")) {
      throw new InvalidDumpException(
          "it is an error of etcd: " + answer.get("message") + " (" + answer.get("cause") + ")");
    }
    dump.gather(answer.get("node"));
    return dump.cluster();
  }

  private static Map<?, ?> object(byte[] json, String what) throws InvalidDumpException {
    try {
      if (EntityJson.tree(json) instanceof Map<?, ?> object) {
        return object;
      }
    } catch (InvalidJsonException e) {
      throw new InvalidDumpException(what + " is not JSON: " + e.getMessage());
    }
    throw new InvalidDumpException(what + " is not a JSON object");
  }

  private void gather(@Nullable Object node) {
    if (!(node instanceof Map<?, ?> entry)) {
      return;
    }
    if (entry.get("key") instanceof String key && entry.get("value") instanceof String value) {
      values.put(key, value);
    }
    if (entry.get("nodes") instanceof List<?> below) {
      below.forEach(this::gather);
    }
  }

  private Fleet1Cluster cluster() throws InvalidDumpException {
    List<Fleet1Unit> units = new ArrayList<>();
    Map<String, String> unreadable = new TreeMap<>();
    for (String key : values.keySet()) {
      Matcher job = JOB.matcher(key);
      if (job.matches()) {
        String name = job.group(2);
        try {
          units.add(unit(job.group(1), UnitName.of(name).value()));
        } catch (InvalidUnitNameException | UnitFileSyntaxException | InvalidDumpException e) {
          unreadable.put(name, String.valueOf(e.getMessage()));
        }
      }
    }
    if (units.isEmpty() && unreadable.isEmpty()) {
      throw new InvalidDumpException("it has no keys of units, such as …/job/web.service/object");
    }
    return new Fleet1Cluster(units, unreadable);
  }

  private Fleet1Unit unit(String root, String name)
      throws InvalidDumpException, UnitFileSyntaxException {
    String desired = value(root + "/job/" + name + "/target-state").strip();
    if (!List.of("inactive", "loaded", "launched").contains(desired)) {
      throw new InvalidDumpException("its target state is \"" + desired + "\"");
    }
    String file = root + "/unit/" + hash(root + "/job/" + name + "/object");
    Object text = valueAsObject(file).get("Raw");
    if (!(text instanceof String raw)) {
      throw new InvalidDumpException("key " + file + " has no text");
    }
    return new Fleet1Unit(name, UnitFile.parse(raw), desired, activeOn(root, name));
  }

  private String hash(String job) throws InvalidDumpException {
    if (!(valueAsObject(job).get("UnitHash") instanceof List<?> bytes)) {
      throw new InvalidDumpException("key " + job + " has no hash");
    }
    var hash = new StringBuilder();
    for (Object part : bytes) {
      if (!(part instanceof Number number)) {
        throw new InvalidDumpException("key " + job + " has a hash that is no list of numbers");
      }
      HexFormat.of().toHexDigits(hash, number.byteValue());
    }
    return hash.toString();
  }

  private List<String> activeOn(String root, String name) throws InvalidDumpException {
    String states = root + "/states/" + name + "/";
    List<String> machines = new ArrayList<>();
    // A slash is followed by a zero in Unicode.
    for (String key : values.subMap(states, root + "/states/" + name + "0").keySet()) {
      if (valueAsObject(key).get(ACTIVE_STATE) instanceof String active
          && Fleet1Cluster.isActive(active)) {
        String machine = key.substring(states.length());
        machines.add(address(root, machine).orElse(machine));
      }
    }
    return machines;
  }

  private Optional<String> address(String root, String machine) throws InvalidDumpException {
    String key = root + "/machines/" + machine + "/object";
    return values.containsKey(key)
            && valueAsObject(key).get("PublicIP") instanceof String address
            && !address.isEmpty()
        ? Optional.of(address)
        : Optional.empty();
  }

  private Map<?, ?> valueAsObject(String key) throws InvalidDumpException {
    return object(value(key).getBytes(StandardCharsets.UTF_8), "key " + key);
  }

  private String value(String key) throws InvalidDumpException {
    String value = values.get(key);
    if (value == null) {
      throw new InvalidDumpException("key " + key + " is missing");
    }
    return value;
  }
}
