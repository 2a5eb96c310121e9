package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command to run on a machine.
 *
 * @param command a program and its arguments
 * @param terminal what the command runs on; absent for pipes
 */
@Json
public record ExecEntity(List<String> command, @Nullable ExecTerminalEntity terminal)
    implements Entity {

  public ExecEntity {
    command = Empty.ifAbsent(command);
  }
}
