package fleet.api;

import fleet.cluster.AbsentMachines;
import fleet.cluster.Caller;
import fleet.core.machine.Maintenance;
import fleet.entities.AbsentMachineEntity;
import fleet.entities.PauseEntity;
import fleet.entities.ReschedulingEntity;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rescheduling of units of absent machines: reads it, and resumes it after a pause. */
final class ReschedulingResource {

  private static final Logger LOG = LoggerFactory.getLogger(ReschedulingResource.class);

  void read(Exchange exchange) throws IOException {
    AbsentMachines absences = exchange.reading().absences();
    exchange.reply(
        new ReschedulingEntity(
            absences.machines().stream().map(ReschedulingResource::machine).toList(),
            absences.pause().map(ReschedulingResource::pause).orElse(null),
            absences.departed().stream().map(EntityMapper::departed).toList()));
  }

  private static AbsentMachineEntity machine(AbsentMachines.Absent absent) {
    return new AbsentMachineEntity(
        absent.machine(),
        absent.standing().text(),
        absent.units(),
        absent.maintenance().map(Maintenance::hostname).orElse(""),
        absent.maintenance().map(EntityMapper::maintenance).orElse(null));
  }

  static PauseEntity pause(AbsentMachines.Pause pause) {
    return new PauseEntity(
        pause.of(),
        pause.text(),
        pause.since().toString(),
        pause.until().toString(),
        pause.vanished());
  }

  void resume(Exchange exchange) throws IOException {
    Caller caller = exchange.caller();
    if (!exchange.cluster().resume(caller) && !exchange.isRepeated()) {
      throw new RefusedException(409, "rescheduling is not paused");
    }
    LOG.info("rescheduling resumed by {}", caller);
    exchange.reply(204);
  }
}
