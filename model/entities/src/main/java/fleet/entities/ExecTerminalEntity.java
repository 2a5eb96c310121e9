package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * The terminal of a command.
 *
 * @param type as {@code TERM} has it
 */
@Json
public record ExecTerminalEntity(String type, int rows, int columns) {

  public ExecTerminalEntity {
    type = Empty.ifAbsent(type);
  }
}
