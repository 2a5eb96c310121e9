package fleet.registry.records;

import fleet.core.operation.OperationId;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.registry.RegistryException;
import java.util.Optional;

/** The keys of the store, and what they name. Prefixes end in a slash. */
public final class Keys {

  public static final String UNITS = "unit/";
  public static final String FILES = "file/";
  public static final String HISTORIES = "history/";
  public static final String PLACEMENTS = "placement/";
  public static final String SCHEDULES = "schedule/";
  public static final String GLOBALS = "global/";
  public static final String SETTINGS = "settings/";
  public static final String CONFIG = "config/";
  public static final String CLUSTER = "cluster";
  public static final String LEADER = "leader";
  public static final String PAUSE = "pause";

  /** Written by the leader to know that nothing which it wrote before is still on its way. */
  public static final String SETTLED = "settled";

  /** The seal of incarnations; written once. */
  public static final String SEAL = "seal";

  public static final String STANDBY = "standby";
  public static final String OPERATIONS = "operation/";
  public static final String MACHINES = "machine/";
  public static final String DEPARTED = "departed/";
  public static final String STATES = "state/";
  public static final String COMMANDS = "command/";
  public static final String QUESTIONS = "question/";
  public static final String ANSWERS = "answer/";
  public static final String OFFERS = "offer/";
  public static final String BIDS = "bid/";
  public static final String AUTHORITY = "ca";
  public static final String ETCD_AUTHORITY = "etcd-ca";
  public static final String ETCD_CERTIFICATES = "etcd-certificate/";
  public static final String TOKENS = "token/";
  public static final String IDENTITIES = "identity/";
  public static final String ACCESS = "access/";
  public static final String SERVER_KEYS = "server-key/";
  public static final String MOVED = "moved";
  public static final String JOINED = "joined";

  /** Enough that commands which share a request seldom meet in one. */
  private static final int COMMAND_SLOTS = 4096;

  private Keys() {}

  public static String unit(UnitName unit) {
    return UNITS + unit.value();
  }

  public static String file(String sha256) {
    return FILES + sha256;
  }

  /** The contents that a unit has had. */
  public static String history(UnitName unit) {
    return HISTORIES + unit.value();
  }

  public static String placement(UnitName unit) {
    return PLACEMENTS + unit.value();
  }

  /** The prefix of all that one machine is to run. */
  public static String schedules(String machine) {
    return SCHEDULES + machine + "/";
  }

  public static String schedule(String machine, UnitName unit) {
    return schedules(machine) + unit.value();
  }

  public static String global(UnitName unit) {
    return GLOBALS + unit.value();
  }

  /** A rebalance, a rollout, or a restart of a global unit; a drain is a setting of its machine. */
  public static String operation(OperationId id) {
    return OPERATIONS + id.text();
  }

  public static String settings(String machine) {
    return SETTINGS + machine;
  }

  public static String config(String name) {
    return CONFIG + name;
  }

  public static String machine(String machine) {
    return MACHINES + machine;
  }

  /** A machine that is lost or has left. */
  public static String departed(String machine) {
    return DEPARTED + machine;
  }

  public static String token(String id) {
    return TOKENS + id;
  }

  public static String serverKey(String machine) {
    return SERVER_KEYS + machine;
  }

  public static String identity(String machine) {
    return IDENTITIES + machine;
  }

  /** The grants of a subject. */
  public static String access(String subject) {
    return ACCESS + subject;
  }

  /** The prefix of all that one machine reports. */
  public static String states(String machine) {
    return STATES + machine + "/";
  }

  public static String state(String machine, UnitName unit) {
    return states(machine) + unit.value();
  }

  /**
   * Where a command about this unit or machine leaves word of itself. There are so many of these
   * keys, whatever the number of commands: the next one in the same place overwrites it.
   */
  public static String command(String subject) {
    return COMMANDS + Math.floorMod(subject.hashCode(), COMMAND_SLOTS);
  }

  /** The prefix of all that one machine is asked. */
  public static String questions(String machine) {
    return QUESTIONS + machine + "/";
  }

  public static String question(String machine, String id) {
    return questions(machine) + id;
  }

  /** The prefix of the pieces of one answer. */
  public static String answers(String question) {
    return ANSWERS + question + "/";
  }

  /** One piece of an answer; they are numbered from 0. */
  public static String answer(String question, long piece) {
    return answers(question) + piece;
  }

  public static String offer(UnitName unit) {
    return OFFERS + unit.value();
  }

  /** A machine's bid for a unit that is offered to it. */
  public static String bid(UnitName unit, String machine) {
    return BIDS + unit.value() + "/" + machine;
  }

  /**
   * The unit that the last part of a key names.
   *
   * @throws RegistryException if that is no valid name of a unit
   */
  public static UnitName unitOf(String key) {
    String name = key.substring(key.lastIndexOf('/') + 1);
    try {
      return UnitName.of(name);
    } catch (InvalidUnitNameException e) {
      throw new RegistryException(
          "key " + key + " of the registry does not name a unit: " + e.getMessage(), e);
    }
  }

  /**
   * The operation that a key below {@link #OPERATIONS} names.
   *
   * @throws RegistryException if it names none
   */
  public static OperationId operationOf(String key) {
    return Optional.of(key)
        .filter(one -> one.startsWith(OPERATIONS))
        .flatMap(one -> OperationId.of(one.substring(OPERATIONS.length())))
        .orElseThrow(() ->
            new RegistryException("key " + key + " of the registry does not name an operation"));
  }

  /**
   * The machine that a key below {@link #SCHEDULES}, {@link #STATES}, {@link #MACHINES}, {@link
   * #DEPARTED} or {@link #SETTINGS} names.
   *
   * @throws RegistryException for other keys
   */
  public static String machineOf(String key) {
    int begin = key.indexOf('/') + 1;
    int end = key.indexOf('/', begin);
    String prefix = key.substring(0, begin);
    if (prefix.equals(SETTINGS) || prefix.equals(MACHINES) || prefix.equals(DEPARTED)) {
      return key.substring(begin);
    }
    if (end > begin && (prefix.equals(SCHEDULES) || prefix.equals(STATES))) {
      return key.substring(begin, end);
    }
    throw new RegistryException("key " + key + " of the registry does not name a machine");
  }
}
