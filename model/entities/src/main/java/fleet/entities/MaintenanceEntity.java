package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * The maintenance window of a machine.
 *
 * @param by who asked for it
 * @param until when it ends by itself
 */
@Json
public record MaintenanceEntity(String by, String until) implements Entity {

  public MaintenanceEntity {
    by = Empty.ifAbsent(by);
    until = Empty.ifAbsent(until);
  }
}
