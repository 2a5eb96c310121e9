package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * The drain of a machine, in a list of machines.
 *
 * @param by who asked for it
 * @param maxUnavailable how many instances of a template may be down at a time for that
 */
@Json
public record DrainEntity(String by, @Nullable Integer maxUnavailable) {

  public DrainEntity {
    by = Empty.ifAbsent(by);
  }
}
