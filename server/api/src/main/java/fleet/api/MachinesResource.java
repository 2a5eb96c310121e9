package fleet.api;

import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Standing;
import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.MachineView;
import fleet.cluster.MetadataChange;
import fleet.core.access.Subject;
import fleet.core.machine.Isolation;
import fleet.core.machine.Maintenance;
import fleet.core.text.DurationText;
import fleet.entities.MachineEntity;
import fleet.entities.MachinePageEntity;
import fleet.entities.MetadataOperationEntity;
import fleet.entities.MetadataPatchEntity;
import fleet.entities.ReadmissionEntity;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Machines: list, change their metadata, cordon, drain, begin and end maintenance. */
final class MachinesResource {

  private static final Logger LOG = LoggerFactory.getLogger(MachinesResource.class);

  private static final Pattern PATH = Pattern.compile("/([^/]+)/metadata/([A-Za-z0-9_.-]+)");

  private final Pages<MachineView> pages;
  private final Pages<MachineEntity> all;

  MachinesResource(int tokenLimit) {
    this.pages = new Pages<>(tokenLimit);
    this.all = new Pages<>(tokenLimit);
  }

  void list(Exchange exchange) throws IOException {
    if (exchange.flag("all")) {
      Page<MachineEntity> page = all.page(exchange, () -> all(exchange.reading()));
      exchange.stream(new MachinePageEntity(page.items(), page.nextToken().orElse("")));
      return;
    }
    Page<MachineView> page = pages.page(exchange, exchange.reading()::machines);
    exchange.stream(
        new MachinePageEntity(
            page.items().stream().map(EntityMapper::machine).toList(),
            page.nextToken().orElse("")));
  }

  /** With those that are lost or have left. */
  private static List<MachineEntity> all(Cluster cluster) {
    Stream<MachineEntity> there = cluster.machines().stream().map(EntityMapper::machine);
    Stream<MachineEntity> departed =
        cluster.absences().departed().stream().map(EntityMapper::departed);
    return Stream.concat(there, departed).toList();
  }

  void patch(Exchange exchange) throws IOException {
    List<MetadataChange> changes =
        exchange.body(MetadataPatchEntity.class).operations().stream()
            .map(MachinesResource::change)
            .toList();
    Caller caller = exchange.caller();
    exchange.cluster().changeMetadata(changes, caller);
    for (MetadataChange change : changes) {
      exchange.answer().touch(change.machine(), 204, change.text());
      LOG.info("machine {}: metadata changed by {}: {}", change.machine(), caller, change.text());
    }
    exchange.header(HttpHeader.CONTENT_TYPE.asString(), Exchange.JSON);
    exchange.reply(204);
  }

  /** Cordons a machine that is present or that units wait for. */
  void cordon(Exchange exchange, String machine) throws IOException {
    requireKnown(exchange.cluster(), machine);
    setCordon(exchange, machine, true);
  }

  /** Uncordons any machine: one that is gone for good may have been cordoned. */
  void uncordon(Exchange exchange, String machine) throws IOException {
    setCordon(exchange, machine, false);
  }

  private static void setCordon(Exchange exchange, String machine, boolean cordoned)
      throws IOException {
    Caller caller = exchange.caller();
    boolean changed = exchange.cluster().cordon(machine, cordoned, caller);
    if (changed) {
      LOG.info("machine {}: {} by {}", machine, cordoned ? "cordoned" : "uncordoned", caller);
    }
    exchange.replyChanged(changed);
  }

  /**
   * Removes a machine from the cluster, present or not.
   *
   * @throws RefusedException if it is unknown, or may not be removed here
   */
  void remove(Exchange exchange, String machine) throws IOException {
    requireServer(exchange);
    Caller caller = exchange.caller();
    try {
      Optional<Boolean> removed = exchange.own().trust().remove(machine, caller);
      // Its units would wait for it.
      boolean ended = exchange.cluster().endMaintenance(machine, caller);
      boolean forgotten =
          exchange.cluster().forget(machine, removed.isPresent() || ended, caller) || ended;
      if (removed.isEmpty() && !forgotten && !exchange.isRepeated()) {
        throw unknown(machine);
      }
      exchange.replyChanged(forgotten || removed.orElse(false));
    } catch (IllegalArgumentException e) {
      throw new RefusedException(409, String.valueOf(e.getMessage()));
    }
  }

  /** Lets a machine join once more with another key. */
  void readmit(Exchange exchange, String machine) throws IOException {
    requireServer(exchange);
    Caller caller = exchange.caller();
    Instant until =
        exchange.own().trust().readmit(machine, caller).orElseThrow(() -> unknown(machine));
    exchange.reply(new ReadmissionEntity(until.toString()));
  }

  private static void requireServer(Exchange exchange) {
    if (exchange.request().subject() instanceof Subject.Joined) {
      throw new RefusedException(
          403, "membership is managed on servers, and this machine is not one");
    }
  }

  private static RefusedException unknown(String machine) {
    return new RefusedException(404, "no machine has the id " + machine);
  }

  /** Drains a machine that is present or that units wait for. */
  void drain(Exchange exchange, String machine) throws IOException {
    int maxUnavailable = exchange.wholeNumber("maxUnavailable", 1);
    requireKnown(exchange.cluster(), machine);
    Caller caller = exchange.caller();
    boolean changed = exchange.cluster().drain(machine, maxUnavailable, caller);
    if (changed) {
      LOG.info("machine {}: drained by {}, max-unavailable {}", machine, caller, maxUnavailable);
    }
    exchange.replyChanged(changed);
  }

  /**
   * Begins the maintenance of a machine that is present, or moves its end.
   *
   * @throws RefusedException if the machine is unknown, or its units would not stay
   */
  void maintain(Exchange exchange, String machine) throws IOException {
    Duration time = maintenanceTime(exchange.parameter("for"));
    refuseMaintenance(exchange.cluster(), machine);
    Caller caller = exchange.caller();
    Maintenance window = exchange.cluster().maintain(machine, time, caller);
    LOG.info("machine {}: in maintenance until {}, by {}", machine, window.until(), caller);
    exchange.reply(EntityMapper.maintenance(window));
  }

  private static Duration maintenanceTime(Optional<String> asked) {
    if (asked.isEmpty()) {
      return Maintenance.USUAL;
    }
    return DurationText.parse(asked.get())
        .filter(time -> time.compareTo(Maintenance.SHORTEST) >= 0)
        .filter(time -> time.compareTo(Maintenance.LONGEST) <= 0)
        .orElseThrow(() ->
            RefusedException.badRequest(
                "for must be a duration from 1m to 24h, such as 30m, not " + asked.get()));
  }

  private static void refuseMaintenance(Cluster cluster, String machine) {
    Optional<MachineView> there =
        cluster.machines().stream().filter(view -> view.id().equals(machine)).findFirst();
    if (there.filter(view -> view.machine().isolation() == Isolation.STOP).isPresent()) {
      throw new RefusedException(
          409,
          ("machine %s has on_isolation=stop: its units stop when its fleetd is away; set"
                  + " on_isolation=keep in its fleet.conf first, or drain it")
              .formatted(machine));
    }
    if (there.isPresent()) {
      return;
    }
    Absent away =
        cluster.absences().machines().stream()
            .filter(absent -> absent.machine().equals(machine))
            .findFirst()
            .orElseThrow(() -> unknown(machine));
    if (away.standing() != Standing.MAINTENANCE) {
      throw new RefusedException(
          409, "machine %s is away: maintenance begins while its fleetd runs".formatted(machine));
    }
  }

  /** Ends the maintenance of any machine: one that is gone for good may be in it. */
  void endMaintenance(Exchange exchange, String machine) throws IOException {
    Caller caller = exchange.caller();
    boolean changed = exchange.cluster().endMaintenance(machine, caller);
    if (changed) {
      LOG.info("machine {}: maintenance ended by {}", machine, caller);
    }
    exchange.replyChanged(changed);
  }

  private static void requireKnown(Cluster cluster, String machine) {
    if (cluster.machines().stream().noneMatch(view -> view.id().equals(machine))
        && cluster.absences().machines().stream()
            .noneMatch(absent -> absent.machine().equals(machine))) {
      throw unknown(machine);
    }
  }

  private static MetadataChange change(MetadataOperationEntity operation) {
    if (!List.of("add", "remove", "replace").contains(operation.op())) {
      throw RefusedException.badRequest("invalid op: expect add, remove, or replace");
    }
    Matcher path = PATH.matcher(operation.path());
    if (!path.matches()) {
      throw RefusedException.badRequest("machine metadata path invalid");
    }
    if (operation.op().equals("remove")) {
      return new MetadataChange.Remove(path.group(1), path.group(2));
    }
    if (operation.value().isEmpty()) {
      throw RefusedException.badRequest("invalid value: add and replace require a value");
    }
    return RefusedException.ifInvalid(
        () -> new MetadataChange.Set(path.group(1), path.group(2), operation.value()));
  }
}
