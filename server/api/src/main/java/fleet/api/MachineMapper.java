package fleet.api;

import fleet.cluster.AbsentMachines;
import fleet.cluster.MachineView;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.core.machine.Resources;
import fleet.entities.DrainEntity;
import fleet.entities.MachineEntity;
import fleet.entities.MaintenanceEntity;
import fleet.entities.ResourcesEntity;
import org.jspecify.annotations.Nullable;

/** Writes machines as entities of the API. */
final class MachineMapper {
  private MachineMapper() {}

  static MachineEntity entity(MachineView view) {
    Machine machine = view.machine();
    return new MachineEntity(
        machine.id(),
        machine.metadata(),
        machine.publicIp(),
        resources(view.capacity()),
        view.cordoned() ? true : null,
        view.drain().map(drain -> new DrainEntity(drain.by(), drain.maxUnavailable())).orElse(null),
        resources(view.reserved()),
        resources(machine.total()),
        machine.hostname(),
        machine.architecture(),
        machine.version(),
        view.role().text(),
        view.leads() ? true : null,
        state(view),
        view.units(),
        "",
        view.maintenance().map(MachineMapper::entity).orElse(null));
  }

  static MaintenanceEntity entity(Maintenance window) {
    return new MaintenanceEntity(window.by(), window.until().toString());
  }

  static String state(MachineView view) {
    if (view.maintenance().isPresent()) {
      return "maintenance";
    }
    if (view.drain().isPresent()) {
      return view.drained() ? "drained" : "draining";
    }
    return view.cordoned() ? "cordoned" : "ready";
  }

  /** Events tell of the machine and not of its reservations. */
  static MachineEntity ofEvent(Machine machine) {
    return described(machine, resources(machine.total()), "", "");
  }

  /** A machine that is not there. */
  static MachineEntity departed(AbsentMachines.Departed departed) {
    String state = departed.left() ? "left" : "lost";
    return described(departed.machine(), null, state, departed.since().toString());
  }

  /** A machine without what the cluster has given to it. */
  private static MachineEntity described(
      Machine machine, @Nullable ResourcesEntity total, String state, String since) {
    return new MachineEntity(
        machine.id(),
        machine.metadata(),
        machine.publicIp(),
        null,
        null,
        null,
        null,
        total,
        machine.hostname(),
        machine.architecture(),
        machine.version(),
        "",
        null,
        state,
        null,
        since,
        null);
  }

  private static @Nullable ResourcesEntity resources(Resources resources) {
    return resources.equals(Resources.UNKNOWN)
        ? null
        : new ResourcesEntity(
            unlessZero(resources.cpuMillis()),
            unlessZero(resources.disk()),
            unlessZero(resources.memory()),
            unlessZero(resources.tasks()));
  }

  private static @Nullable Long unlessZero(long number) {
    return number == 0 ? null : number;
  }
}
