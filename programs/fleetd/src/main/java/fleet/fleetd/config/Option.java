package fleet.fleetd.config;

import fleet.core.text.EditDistance;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Every option by its key: {@code agent_ttl} in the file, {@code FLEET_AGENT_TTL} outside it. */
enum Option {
  VERBOSITY,
  ETCD_SERVERS,
  ETCD_USERNAME(Effect.ETCD),
  ETCD_PASSWORD(Effect.ETCD),
  ETCD_CAFILE(Effect.ETCD),
  ETCD_CERTFILE(Effect.ETCD),
  ETCD_KEYFILE(Effect.ETCD),
  ETCD_INSECURE(Effect.ETCD),
  ETCD_KEY_PREFIX(Effect.ETCD),
  ETCD_REQUEST_TIMEOUT(Effect.ETCD),
  ETCD_QUOTA(Effect.ETCD),
  ETCD_COMPACT_AFTER(Effect.ETCD),
  ENGINE_RECONCILE_INTERVAL(Effect.NONE),
  PUBLIC_IP,
  METADATA,
  MACHINE_CORES,
  MACHINE_MEMORY,
  MACHINE_DISK,
  MACHINE_TASKS,
  KEEP_CORES,
  KEEP_MEMORY,
  KEEP_DISK,
  KEEP_TASKS,
  AGENT_TTL,
  STORM_PERCENT,
  STORM_MACHINES,
  STORM_PAUSE,
  ON_ISOLATION(Effect.CLUSTER),
  LEADER_LEASE(Effect.ETCD),
  STANDBY_UNITS(Effect.ETCD),
  RPC_PORT,
  RPC_INSECURE,
  JOIN,
  TOKEN,
  UNITS_DIRECTORY,
  SYSTEMD_USER,
  TOKEN_LIMIT,
  DISABLE_ENGINE,
  ENABLE_GRPC,
  ENABLE_EXEC,
  DISABLE_WATCHES(Effect.NONE),
  VERIFY_UNITS(Effect.GONE),
  AUTHORIZED_KEYS_FILE(Effect.GONE),
  DATA_DIRECTORY,
  RUNTIME_DIRECTORY,
  API_SOCKET,
  API_LISTEN,
  API_PORT,
  API_CERTFILE,
  API_KEYFILE,
  API_CAFILE,
  API_NAMES,
  API_CAFILE_ROLE,
  INSECURE_TCP,
  METRICS_LISTEN,
  AUDIT_FILE;

  /** The effect of an option in this release. */
  enum Effect {
    FULL,
    /** Only with a registry in etcd. */
    ETCD,
    /** Only if the registry is elsewhere: in etcd, or with the servers of a cluster joined. */
    CLUSTER,
    /** Known to fleet 1.0; nothing here depends on it. */
    NONE,
    /** Already without effect in fleet 1.0. */
    GONE
  }

  static final String ENVIRONMENT_PREFIX = "FLEET_";

  /** Read by the script that starts fleetd. */
  static final String LAUNCHER_VARIABLE = "FLEET_JAVA_OPTS";

  private final Effect effect;

  Option() {
    this(Effect.FULL);
  }

  Option(Effect effect) {
    this.effect = effect;
  }

  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  String variable() {
    return ENVIRONMENT_PREFIX + name();
  }

  Effect effect() {
    return effect;
  }

  static Optional<Option> ofKey(String key) {
    return Arrays.stream(values()).filter(option -> option.key().equalsIgnoreCase(key)).findFirst();
  }

  /** The one that was meant by a misspelt key, if at most a third of that would have to change. */
  static Optional<Option> nearest(String key) {
    String wanted = key.toLowerCase(Locale.ROOT).replace('-', '_');
    return Arrays.stream(values())
        .min(Comparator.comparingInt(option -> EditDistance.between(wanted, option.key())))
        .filter(option -> EditDistance.between(wanted, option.key()) <= wanted.length() / 3);
  }
}
