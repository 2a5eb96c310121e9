package fleet.rpc.message;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import java.time.Instant;
import java.util.Optional;

/** Machines as messages. */
public final class MachineMessages {

  private MachineMessages() {}

  public static fleet.rpc.v1.Machine message(Machine machine) {
    return fleet.rpc.v1.Machine.newBuilder()
        .setId(machine.id())
        .setBootId(machine.bootId())
        .setPublicIp(machine.publicIp())
        .putAllMetadata(machine.metadata())
        .setVersion(machine.version())
        .setIsolation(machine.isolation().text())
        .setTotal(message(machine.total()))
        .setKept(message(machine.kept()))
        .setHostname(machine.hostname())
        .setArchitecture(machine.architecture())
        .setMaintenanceUntilSeconds(machine.maintenance().map(Instant::getEpochSecond).orElse(0L))
        .build();
  }

  public static fleet.rpc.v1.Resources message(Resources resources) {
    return fleet.rpc.v1.Resources.newBuilder()
        .setCpuMillis(resources.cpuMillis())
        .setMemory(resources.memory())
        .setDisk(resources.disk())
        .setTasks(resources.tasks())
        .build();
  }

  /**
   * The machine that a message describes.
   *
   * @throws MalformedMessageException if it names no machine
   */
  public static Machine machine(fleet.rpc.v1.Machine message) throws MalformedMessageException {
    if (message.getId().isEmpty() || message.getBootId().isEmpty()) {
      throw new MalformedMessageException("a machine without id or boot id");
    }
    Machine machine =
        new Machine(
            message.getId(),
            message.getBootId(),
            message.getPublicIp(),
            message.getMetadataMap(),
            message.getVersion(),
            // An isolation that only a later version knows counts as one that stops no units.
            Isolation.ofText(message.getIsolation()).orElse(Isolation.KEEP),
            resources(message.getTotal()),
            resources(message.getKept()),
            message.getHostname(),
            message.getArchitecture(),
            Optional.empty());
    long until = message.getMaintenanceUntilSeconds();
    return until == 0
        ? machine
        : machine.withMaintenance(Optional.of(Instant.ofEpochSecond(until)));
  }

  /** The resources in a message; zero if it does not name them. */
  public static Resources resources(fleet.rpc.v1.Resources message) {
    return new Resources(
        message.getCpuMillis(), message.getMemory(), message.getDisk(), message.getTasks());
  }
}
