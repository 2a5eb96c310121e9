package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * A machine that a rotation of the authority has not reached, or has lost.
 *
 * @param authority SHA-256 of the one that its certificate is by; absent if it never said
 * @param awaited whether the rotation waits for it
 * @param ends when its certificate does, as far as that is known
 * @param present whether it is there
 */
@Json
public record BehindEntity(
    String authority, boolean awaited, String ends, String machine, boolean present, String role) {

  public BehindEntity {
    authority = Empty.ifAbsent(authority);
    ends = Empty.ifAbsent(ends);
  }
}
