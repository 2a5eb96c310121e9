package fleet.engine;

import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import fleet.core.schedule.Target;
import fleet.core.unit.UnitName;
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.KnownUnit;
import fleet.engine.picture.Placed;
import fleet.scheduler.Decision;
import fleet.scheduler.Demand;
import fleet.scheduler.Picture;
import fleet.scheduler.Scheduler;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The scheduler's picture, kept in step with the engine's: it runs ahead of it by what the last
 * decisions assume. Owned by the engine's event thread.
 */
final class Room {

  private final ClusterPicture cluster;
  private final Scheduler scheduler = new Scheduler();
  private final Map<String, Set<UnitName>> followers = new HashMap<>();
  private final Map<UnitName, Set<String>> followed = new HashMap<>();
  private final Map<UnitName, Set<String>> refused = new HashMap<>();
  private Picture picture = new Picture();

  Room(ClusterPicture cluster) {
    this.cluster = cluster;
  }

  // ---- in step with the cluster

  void machine(Machine machine) {
    picture.putMachine(machine);
  }

  void machineGone(String machine) {
    picture.removeMachine(machine);
  }

  void follow(UnitName unit) {
    Optional<Placed> placed = cluster.placed(unit);
    forgetFollower(unit);
    if (placed.isEmpty()) {
      picture.remove(unit);
      return;
    }
    Demand demand = demand(placed.get());
    picture.place(unit, demand.requirements(), placed.get().machine());
    if (placed.get().record().target() == Target.STOPPING) {
      picture.leave(unit);
    }
    noteFollower(demand);
  }

  void followGlobal(UnitName unit) {
    cluster
        .global(unit)
        .ifPresentOrElse(
            entry -> picture.putGlobal(unit, Requirements.of(unit, entry.file())),
            () -> picture.removeGlobal(unit));
  }

  /** Forgets what was assumed. */
  void followAll() {
    picture = new Picture();
    refused.clear();
    cluster.machines().forEach(this::machine);
    cluster.globals().forEach(this::followGlobal);
    cluster.schedule().forEach(placed -> follow(placed.entry().unit()));
  }

  private static Demand demand(Placed placed) {
    UnitName unit = placed.entry().unit();
    return new Demand(unit, Requirements.of(unit, placed.entry().file()));
  }

  private void noteFollower(Demand demand) {
    Set<String> peers = Set.copyOf(demand.requirements().machineOf());
    if (!peers.isEmpty()) {
      followed.put(demand.unit(), peers);
    }
    peers.forEach(peer -> followers.computeIfAbsent(peer, _ -> new HashSet<>()).add(demand.unit()));
  }

  private void forgetFollower(UnitName unit) {
    Set<String> peers = followed.remove(unit);
    if (peers != null) {
      peers.forEach(peer ->
          followers.computeIfPresent(
              peer, (_, units) -> units.remove(unit) && units.isEmpty() ? null : units));
    }
  }

  /** Units that were placed because they must be on the machine of this one. */
  Set<UnitName> followers(UnitName unit) {
    return Set.copyOf(followers.getOrDefault(unit.value(), Set.of()));
  }

  // ---- ahead of it

  void assume(KnownUnit known, String machine) {
    picture.place(known.unit().name(), known.requirements(), machine);
  }

  void assumeLeaving(UnitName unit) {
    picture.leave(unit);
  }

  void assumeGone(UnitName unit) {
    picture.remove(unit);
  }

  // ---- choosing

  Decision choose(KnownUnit known) {
    takeOverRefusals(known);
    return scheduler.choose(known.unit().name(), known.requirements(), picture);
  }

  /** Why a unit may not stay where it is; of a machine that is not there nothing is known. */
  Optional<String> unfit(KnownUnit known, String machine) {
    return cluster.machine(machine).isEmpty()
        ? Optional.empty()
        : scheduler.objection(known.unit().name(), picture);
  }

  private void takeOverRefusals(KnownUnit known) {
    UnitName unit = known.unit().name();
    Map<String, String> now = cluster.refusals(known);
    Set<String> before = refused.getOrDefault(unit, Set.of());
    before.stream()
        .filter(machine -> !now.containsKey(machine))
        .forEach(machine -> picture.free(machine, unit));
    now.forEach((machine, why) -> picture.refuse(machine, unit, why));
    if (now.isEmpty()) {
      refused.remove(unit);
    } else {
      refused.put(unit, Set.copyOf(now.keySet()));
    }
  }
}
