package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * A unit of an operation.
 *
 * @param standing one of waits, next, leaving, starting, proving, done, stays, exempt and failed
 * @param from id of the machine that it leaves
 * @param to id of the machine where a place is kept for it; of a global unit, the machine that the
 *     step is about
 * @param detail how it is, what it waits for or why it stays
 */
@Json
public record StepEntity(String unit, String standing, String from, String to, String detail) {

  public StepEntity {
    unit = Empty.ifAbsent(unit);
    standing = Empty.ifAbsent(standing);
    from = Empty.ifAbsent(from);
    to = Empty.ifAbsent(to);
    detail = Empty.ifAbsent(detail);
  }
}
