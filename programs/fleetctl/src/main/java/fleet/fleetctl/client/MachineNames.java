package fleet.fleetctl.client;

import fleet.entities.MachineEntity;
import fleet.fleetctl.output.LocalTimes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Machines as outputs show them: {@code 113f16a7.../10.0.0.3} for programs, as fleet 1.0 did, and
 * for people by their hostnames. Unregistered machines are shown by their whole ids.
 */
public final class MachineNames {

  private static final int SHORT = 8;

  /** The word after "machine" may be an id, and so is whatever looks like one. */
  private static final Pattern MACHINE =
      Pattern.compile("(?<=\\bmachine )[^\\s:;,]+|\\b[0-9a-f]{32}\\b");

  private static final String SEVERAL = "";

  private final boolean forPeople;
  private final Map<String, String> addresses = new HashMap<>();
  private final Map<String, String> hostnames = new HashMap<>();

  /** Ids by hostname; {@link #SEVERAL} if machines share one. */
  private final Map<String, String> owners = new HashMap<>();

  public MachineNames(List<MachineEntity> machines) {
    this(machines, false);
  }

  public MachineNames(List<MachineEntity> machines, boolean forPeople) {
    this.forPeople = forPeople;
    for (MachineEntity machine : machines) {
      addresses.put(machine.id(), machine.primaryIP());
      hostnames.put(machine.id(), machine.hostname());
      if (owners.put(machine.hostname(), machine.id()) != null) {
        owners.put(machine.hostname(), SEVERAL);
      }
    }
  }

  /** The same names, with some machines updated. */
  MachineNames with(List<MachineEntity> machines) {
    MachineNames more = new MachineNames(machines, forPeople);
    addresses.forEach(more.addresses::putIfAbsent);
    hostnames.forEach(more.hostnames::putIfAbsent);
    owners.forEach(more.owners::putIfAbsent);
    return more;
  }

  public boolean isKnown(String id) {
    return addresses.containsKey(id);
  }

  /**
   * The name of one machine.
   *
   * @param full whether the id is shown whole
   */
  public String of(String id, boolean full) {
    return forPeople && !full ? hostOrShortId(id) : label(id, full);
  }

  private String label(String id, boolean full) {
    String address = addresses.get(id);
    if (address == null) {
      return id;
    }
    return address.isEmpty() ? shown(id, full) : shown(id, full) + "/" + address;
  }

  /** The hostname of a machine if no other has it, else its label. */
  public String host(String id) {
    String hostname = hostnames.getOrDefault(id, "");
    return !hostname.isEmpty() && id.equals(owners.get(hostname)) ? hostname : label(id, false);
  }

  private String hostOrShortId(String id) {
    return isKnown(id) ? host(id) : shortId(id);
  }

  /** Whether a text of the cluster mentions only registered machines. */
  public boolean knowsAllIn(String text) {
    return MACHINE.matcher(text).results().allMatch(found -> isKnown(found.group()));
  }

  /**
   * Replaces ids of machines in a text of the cluster by their names; for people, also times by
   * local ones.
   */
  public String in(String text) {
    String named = in(text, id -> of(id, false));
    return forPeople ? LocalTimes.in(named) : named;
  }

  /** The text for people: machines by their hostnames, and local times. */
  public String hostsIn(String text) {
    return LocalTimes.in(in(text, this::hostOrShortId));
  }

  private static String in(String text, UnaryOperator<String> name) {
    return MACHINE
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(name.apply(found.group())));
  }

  /** An id, whole or its beginning. */
  public static String shown(String id, boolean full) {
    return full ? id : shortId(id);
  }

  /** The first eight characters and three dots. */
  public static String shortId(String id) {
    return id.length() <= SHORT ? id : id.substring(0, SHORT) + "...";
  }
}
