package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * How far an authority is replaced by another.
 *
 * @param finish whether machines that are away are not waited for
 * @param since when the stage began
 * @param stage {@code introduced} while machines learn of the next one, then {@code signing}
 * @param until when the former one counts no more, even if machines are away
 */
@Json
public record RotationEntity(String by, boolean finish, String since, String stage, String until) {

  public RotationEntity {
    by = Empty.ifAbsent(by);
    until = Empty.ifAbsent(until);
  }
}
