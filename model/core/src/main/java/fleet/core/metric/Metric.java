package fleet.core.metric;

import fleet.core.operation.OperationId.Kind;
import fleet.core.text.Keyword;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Every metric that fleetd serves. The name of a constant is the name of the metric; {@code
 * docs/metrics.md} says what each means and what to do when it is bad.
 */
@SuppressWarnings("ImmutableEnumChecker") // Its list is: see the constructor.
public enum Metric {
  // ---- fleetd
  FLEET_BUILD_INFO(
      Type.GAUGE, "Always 1, with the version of this fleetd", MetricLabel.of("version")),
  FLEET_READY(Type.GAUGE, "1 if /readyz says so, else 0"),

  // ---- engine, with the names and labels that fleet 1.0 gave the first five
  FLEET_ENGINE_LEADER_START_TIME(
      Type.GAUGE, "When this engine began to lead, in seconds since 1970; 0 if it does not lead"),
  FLEET_ENGINE_RECONCILE_COUNT_TOTAL(
      Type.COUNTER, "Rounds in which the engine decided about units"),
  FLEET_ENGINE_RECONCILE_FAILURE_COUNT_TOTAL(
      Type.COUNTER,
      "Units whose machine was lost, could not run them any more, or could not be found",
      MetricLabel.of("type", "machine_away", "run", "schedule")),
  FLEET_ENGINE_TASK_COUNT_TOTAL(
      Type.COUNTER,
      "Units given to a machine, and taken from one",
      MetricLabel.of("type", "attemptscheduleunit", "unscheduleunit")),
  FLEET_ENGINE_TASK_FAILURE_COUNT_TOTAL(
      Type.COUNTER,
      "The same, if the registry did not take the decision",
      MetricLabel.of("type", "attemptscheduleunit", "unscheduleunit")),
  FLEET_ENGINE_LEADS(Type.GAUGE, "1 if the engine of this fleetd leads, else 0"),
  FLEET_ENGINE_TERMS_TOTAL(Type.COUNTER, "How often the engine of this fleetd began to lead"),
  FLEET_ENGINE_TURN_SECONDS(Type.HISTOGRAM, "Time to decide about the units of one round"),
  FLEET_ENGINE_MOVES_TOTAL(
      Type.COUNTER,
      "Units taken from a machine so that they run on another, by cause",
      MetricLabel.of("cause", "lost", "unfit", "drain", "rebalance")),
  FLEET_ENGINE_QUEUE(Type.GAUGE, "Units that the engine has yet to look at"),
  FLEET_ENGINE_WAITING_UNITS(
      Type.GAUGE,
      "Units without a usable place, by reason",
      MetricLabel.of("reason", "room", "unit", "machine", "refused", "absent", "fault")),

  // ---- the cluster, as the leader sees it
  FLEET_MACHINES(Type.GAUGE, "Machines present"),
  FLEET_ABSENT_MACHINES(
      Type.GAUGE,
      "Machines that are not there and have units or are cordoned",
      MetricLabel.of("standing", "awaited", "held", "lost", "cordoned", "maintenance")),
  FLEET_RESCHEDULING_PAUSED(
      Type.GAUGE, "1 if units of lost machines stay, as too many machines vanished at once"),
  FLEET_UNITS(Type.GAUGE, "Units of the cluster"),
  FLEET_UNIT_STATES(
      Type.GAUGE, "Unit states by active state, on all machines", MetricLabel.of("active")),
  FLEET_OPERATIONS(
      Type.GAUGE,
      "Operations that are not over",
      MetricLabel.of("kind", Stream.of(Kind.values()).map(Kind::text).toArray(String[]::new)),
      MetricLabel.of("stage", "going", "paused")),

  // ---- agent and systemd
  FLEET_AGENT_UNITS(
      Type.GAUGE,
      "Units of the cluster on this machine, by active state",
      MetricLabel.of("active")),
  FLEET_AGENT_STARTS_TOTAL(
      Type.COUNTER,
      "Starts and restarts of units, by the result of systemd's job",
      MetricLabel.of("result", "done", "failed", "refused", "unknown")),
  FLEET_AGENT_STOPS_TOTAL(
      Type.COUNTER,
      "Stops of units, by the result of systemd's job",
      MetricLabel.of("result", "done", "failed", "refused", "unknown")),
  FLEET_SYSTEMD_CALL_SECONDS(
      Type.HISTOGRAM,
      "Time until systemd answered a call over D-Bus; a daemon-reload is reload",
      MetricLabel.of(
          "call", "reload", "start", "stop", "restart", "kill", "reset", "states", "follow")),
  FLEET_SYSTEMD_CALL_FAILURES_TOTAL(
      Type.COUNTER,
      "Calls of systemd that failed",
      MetricLabel.of(
          "call", "reload", "start", "stop", "restart", "kill", "reset", "states", "follow")),
  FLEET_SYSTEMD_CONNECTED(Type.GAUGE, "1 if the agent is connected to systemd, else 0"),
  FLEET_SYSTEMD_DISCONNECTS_TOTAL(Type.COUNTER, "How often the connection to systemd was lost"),

  // ---- registry
  FLEET_REGISTRY_OPERATION_SECONDS(
      Type.HISTOGRAM,
      "Time of an operation of the registry, with what waited for one before it",
      MetricLabel.of("operation", "get", "read", "commit", "watch", "lease")),
  FLEET_REGISTRY_OPERATION_FAILURES_TOTAL(
      Type.COUNTER,
      "Operations of the registry that failed",
      MetricLabel.of("operation", "get", "read", "commit", "watch", "lease")),
  FLEET_REGISTRY_SIZE_BYTES(
      Type.GAUGE, "Size of the registry's database; in etcd, the largest of its members"),
  FLEET_REGISTRY_QUOTA_BYTES(Type.GAUGE, "The size at which etcd takes no more writes"),

  // ---- RPC
  FLEET_RPC_STREAMS(
      Type.GAUGE,
      "Calls between fleetds that are going on",
      MetricLabel.of("side", "server", "client")),
  FLEET_RPC_STREAMS_TOTAL(
      Type.COUNTER, "Calls between fleetds that began", MetricLabel.of("side", "server", "client")),
  FLEET_RPC_BYTES_TOTAL(
      Type.COUNTER,
      "Bytes of these calls on the wire, before TLS",
      MetricLabel.of("side", "server", "client"),
      MetricLabel.of("direction", "received", "sent")),

  // ---- API
  FLEET_HTTP_REQUESTS_TOTAL(
      Type.COUNTER,
      "Requests answered by the API",
      MetricLabel.of("method", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"),
      MetricLabel.of("code")),
  FLEET_HTTP_REQUEST_SECONDS(
      Type.HISTOGRAM, "Time to answer a request of the API, without answers that have no end"),
  FLEET_HTTP_REQUESTS_IN_PROGRESS(
      Type.GAUGE, "Requests that the API is answering, with those that follow events or journals"),

  // ---- process
  PROCESS_CPU_SECONDS_TOTAL(Type.COUNTER, "CPU time of the process in seconds"),
  PROCESS_OPEN_FDS(Type.GAUGE, "Open file descriptors"),
  PROCESS_MAX_FDS(Type.GAUGE, "Limit of open file descriptors"),
  PROCESS_RESIDENT_MEMORY_BYTES(Type.GAUGE, "Resident memory of the process"),
  PROCESS_VIRTUAL_MEMORY_BYTES(Type.GAUGE, "Virtual memory of the process"),
  PROCESS_START_TIME_SECONDS(Type.GAUGE, "Start of the process, in seconds since 1970"),
  JVM_MEMORY_HEAP_USED_BYTES(Type.GAUGE, "Java heap in use"),
  JVM_THREADS(Type.GAUGE, "Platform threads");

  /** The kinds of metrics that Prometheus knows and fleetd serves. */
  public enum Type implements Keyword {
    COUNTER,
    GAUGE,
    HISTOGRAM
  }

  private final Type type;
  private final String help;
  private final List<MetricLabel> labels;

  Metric(Type type, String help, MetricLabel... labels) {
    this.type = type;
    this.help = help;
    this.labels = List.of(labels);
  }

  /** The name that Prometheus knows it by. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  public Type type() {
    return type;
  }

  public String help() {
    return help;
  }

  public List<MetricLabel> labels() {
    return labels;
  }

  /**
   * The series that are there from the beginning, so that the first event counts as an increase:
   * all of them, or none if a label's values are not listed, or it is a gauge.
   */
  public List<List<String>> initialSeries() {
    if (type == Type.GAUGE) {
      return List.of();
    }
    List<List<String>> all = List.of(List.of());
    for (MetricLabel label : labels) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> series : all) {
        for (String value : label.values()) {
          List<String> with = new ArrayList<>(series);
          with.add(value);
          longer.add(List.copyOf(with));
        }
      }
      all = longer;
    }
    return all;
  }
}
