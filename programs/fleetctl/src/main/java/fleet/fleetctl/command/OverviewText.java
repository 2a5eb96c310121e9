package fleet.fleetctl.command;

import fleet.entities.OperationEntity;
import fleet.entities.OverviewEntity;
import fleet.entities.ProblemEntity;
import fleet.entities.StoreHealthEntity;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.Ages;
import fleet.fleetctl.table.WrappedTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The cluster at a glance, in words.
 *
 * @param versions of the machines that are there, by id
 */
record OverviewText(
    OverviewEntity overview, MachineNames machines, Map<String, String> versions, Instant now) {

  /** In the order of the first line: a kind, and the words for one and for several of it. */
  private static final List<List<String>> KINDS =
      List.of(
          List.of("failed", "unit failed", "units failed"),
          List.of("waiting", "unit waits", "units wait"),
          List.of("blocked", "unit is blocked", "units are blocked"),
          List.of("starting", "unit takes long to start", "units take long to start"),
          List.of("restarting", "unit was restarted by systemd", "units were restarted by systemd"),
          List.of("lost", "machine is lost", "machines are lost"),
          List.of("awaited", "machine is awaited", "machines are awaited"),
          List.of("operation", "operation is held up", "operations are held up"));

  static boolean isHealthy(OverviewEntity overview) {
    return overview.problemCounts().isEmpty();
  }

  /**
   * @param width of a line
   */
  String of(int width) {
    WrappedTable headline = new WrappedTable();
    headline.row(List.of(headline()));
    StringBuilder text = new StringBuilder(headline.render("", width));
    text.append(counts().render("  ", width));
    if (!isHealthy(overview)) {
      text.append("Problems:\n").append(problems(width));
    }
    if (!overview.operations().isEmpty()) {
      text.append("Operations:\n");
      overview.operations().forEach(one -> text.append("  ").append(operation(one)).append('\n'));
    }
    return text.toString();
  }

  private WrappedTable counts() {
    WrappedTable table = new WrappedTable();
    table.row(List.of("Leader", leader() + store()));
    table.row(List.of("Machines", counted(overview.machines())));
    int units = sum(overview.units());
    table.row(List.of("Units", units == 0 ? "0" : units + ": " + counted(overview.units())));
    table.row(List.of("Versions", versionCounts()));
    return table;
  }

  private String headline() {
    // fleetd tells nothing of the store to those who may not see the whole cluster.
    String seen = overview.store() == null ? "The part of the cluster that you may see" : "Cluster";
    if (isHealthy(overview)) {
      return seen + " is healthy";
    }
    Map<String, Integer> counts = problemCounts();
    List<String> words = new ArrayList<>();
    for (List<String> kind : KINDS) {
      int count = counts.getOrDefault(kind.getFirst(), 0);
      if (count > 0) {
        words.add(count + " " + kind.get(count == 1 ? 1 : 2));
      }
    }
    if (counts.containsKey("leader")) {
      words.addFirst("nobody leads");
    }
    if (counts.containsKey("paused")) {
      words.add("rescheduling is paused");
    }
    if (counts.containsKey("store")) {
      words.add("the store is not healthy");
    }
    if (counts.containsKey("versions")) {
      words.add("versions are too far apart");
    }
    return seen + " is degraded" + (words.isEmpty() ? "" : ": " + String.join(", ", words));
  }

  /** By kind; machines that are not there by their state, as list-machines shows them. */
  private Map<String, Integer> problemCounts() {
    Map<String, Integer> counts = new HashMap<>(overview.problemCounts());
    int awaited = overview.machines().getOrDefault("awaited", 0);
    counts.put("awaited", awaited);
    counts.put("lost", counts.getOrDefault("machine", 0) - awaited);
    return counts;
  }

  private String leader() {
    if (overview.leader().isEmpty()) {
      return overview.problemCounts().containsKey("leader") ? "nobody" : "not known";
    }
    String since = overview.leaderSince();
    return machines.host(overview.leader())
        + (since.isEmpty() ? "" : ", leading for " + Ages.since(since, now));
  }

  private String store() {
    StoreHealthEntity store = overview.store();
    if (store == null) {
      return "";
    }
    long healthy = store.members().stream().filter(one -> one.problem().isEmpty()).count();
    return ", store "
        + store.kind()
        + (store.members().isEmpty()
            ? ""
            : ": %d of %d members healthy".formatted(healthy, store.members().size()));
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Most come first. */
  private static String counted(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .map(count -> count.getValue() + " " + count.getKey())
        .collect(Collectors.joining(", "));
  }

  private String versionCounts() {
    return overview.versions().entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .map(count -> count.getKey() + " on " + machinesOf(count.getKey(), count.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** The only machine of a version is named. */
  private String machinesOf(String version, int count) {
    List<String> ids =
        versions.entrySet().stream()
            .filter(machine -> machine.getValue().equals(version))
            .map(Map.Entry::getKey)
            .toList();
    return count == 1 && ids.size() == 1 ? machines.host(ids.getFirst()) : count + " machines";
  }

  private String problems(int width) {
    WrappedTable table = new WrappedTable();
    for (ProblemEntity problem : overview.problems()) {
      String machine = host(problem.machineID());
      String unit = problem.unit().isEmpty() ? problem.name() : problem.unit();
      table.row(
          List.of(
              unit.isEmpty() ? (machine.isEmpty() ? "cluster" : machine) : unit,
              unit.isEmpty() || machine.isEmpty() ? "-" : machine,
              problem.since().isEmpty() ? "-" : Ages.since(problem.since(), now),
              machines.hostsIn(problem.text())));
    }
    int more = sum(overview.problemCounts()) - overview.problems().size();
    return table.render("  ", width) + (more > 0 ? "  and " + more + " more\n" : "");
  }

  private String host(String id) {
    return machines.isKnown(id) ? machines.host(id) : MachineNames.shortId(id);
  }

  private String operation(OperationEntity operation) {
    String subject = operation.subject();
    String name = operation.kind().equals("drain") ? "drain-" + host(subject) : operation.id();
    Integer left = operation.left();
    return "%s: %s, %s%s"
        .formatted(
            name,
            Boolean.TRUE.equals(operation.paused()) ? "paused" : operation.stage(),
            Ages.since(operation.started(), now),
            left == null ? "" : ", " + left + " left");
  }
}
