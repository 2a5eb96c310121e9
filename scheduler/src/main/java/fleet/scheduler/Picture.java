package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The machines of the cluster and the units on them: all that choosing a machine looks at. Changed
 * in place, delta by delta; a change costs no more than a look at one machine's units, save that of
 * a global unit, which concerns every machine.
 *
 * <p>Belongs to one thread at a time.
 */
public final class Picture {

  private final Map<String, MachineView> views = new HashMap<>();
  private final NavigableMap<String, MachineView> present = new TreeMap<>();
  private final Map<UnitName, MachineView> placements = new HashMap<>();
  private final NavigableMap<String, Demand> globals = new TreeMap<>();
  private final LoadOrder order = new LoadOrder();

  /** A copy to plan on: what happens to one does not happen to the other. */
  public Picture fork() {
    Picture fork = new Picture();
    fork.globals.putAll(globals);
    views.forEach((id, view) -> {
      MachineView copy = view.fork(fork.globals);
      fork.views.put(id, copy);
      if (copy.isPresent()) {
        fork.present.put(id, copy);
        fork.order.changed(copy);
      }
      copy.units().forEach(demand -> fork.placements.put(demand.unit(), copy));
    });
    return fork;
  }

  /** The machines that are there, sorted by their ids. */
  public Collection<MachineView> machines() {
    return Collections.unmodifiableCollection(present.values());
  }

  /**
   * The machines that are there and may have the metadata that is asked for, the least loaded first
   * and then by their ids; to be read before this picture changes again.
   */
  Iterable<MachineView> candidates(Requirements requirements) {
    return order.candidates(requirements);
  }

  /** A machine that is there. */
  public Optional<MachineView> machine(String id) {
    return Optional.ofNullable(present.get(id));
  }

  /** A machine came, or describes itself anew. */
  public void putMachine(Machine machine) {
    MachineView view = view(machine.id());
    view.describe(machine);
    present.put(machine.id(), view);
    order.changed(view);
  }

  /** A machine went. Its units stay placed on it until they are removed; its refusals are void. */
  public void removeMachine(String id) {
    MachineView view = present.remove(id);
    if (view != null) {
      view.goAbsent();
      order.changed(view);
      forgetIfEmpty(view);
    }
  }

  /**
   * Places a unit, there to stay; one that was placed before, here or elsewhere, is taken from
   * there.
   *
   * @param machine the machine's id; it need not be there yet
   */
  public void place(UnitName unit, Requirements requirements, String machine) {
    MachineView view = view(machine);
    MachineView before = placements.put(unit, view);
    if (before != null && before != view) {
      before.remove(unit);
      changed(before);
    }
    view.put(new Demand(unit, requirements));
    order.changed(view);
  }

  /**
   * A placed unit was told to go: it no longer counts as load, and nobody follows it, but what
   * conflicts with it cannot come before it has gone.
   */
  public void leave(UnitName unit) {
    MachineView view = placements.get(unit);
    if (view != null) {
      view.leave(unit);
      order.changed(view);
    }
  }

  /** A unit has gone from its machine. */
  public void remove(UnitName unit) {
    MachineView view = placements.remove(unit);
    if (view != null) {
      view.remove(unit);
      changed(view);
    }
  }

  /** The id of the machine that a unit is placed on, whether the machine is there or not. */
  public Optional<String> placement(UnitName unit) {
    return Optional.ofNullable(placements.get(unit)).map(MachineView::id);
  }

  /** A global unit came, or asks for something else. */
  public void putGlobal(UnitName unit, Requirements requirements) {
    globals.put(unit.value(), new Demand(unit, requirements));
    globalsChanged();
  }

  public void removeGlobal(UnitName unit) {
    if (globals.remove(unit.value()) != null) {
      globalsChanged();
    }
  }

  private void globalsChanged() {
    for (MachineView view : views.values()) {
      view.globalsChanged();
      order.changed(view);
    }
  }

  /** The global units of the cluster, sorted by name. */
  public Collection<Demand> globals() {
    return Collections.unmodifiableCollection(globals.values());
  }

  /** A global unit of the cluster. */
  public Optional<Demand> global(UnitName unit) {
    return Optional.ofNullable(globals.get(unit.value()));
  }

  /** A machine that is there does not take a unit of this name, as long as it stays there. */
  public void refuse(String machine, UnitName unit, String why) {
    machine(machine).ifPresent(view -> view.refuse(unit, why));
  }

  /** A machine takes a unit of this name again. */
  public void free(String machine, UnitName unit) {
    machine(machine).ifPresent(view -> view.free(unit));
  }

  @Nullable MachineView viewOf(UnitName unit) {
    return placements.get(unit);
  }

  private MachineView view(String id) {
    return views.computeIfAbsent(id, key -> new MachineView(key, globals));
  }

  private void changed(MachineView view) {
    order.changed(view);
    forgetIfEmpty(view);
  }

  private void forgetIfEmpty(MachineView view) {
    if (view.isEmpty() && !view.isPresent()) {
      views.remove(view.id());
    }
  }
}
