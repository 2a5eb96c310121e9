package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * How evenly units are spread.
 *
 * @param least how many units the emptiest machine has
 * @param most how many the fullest has
 */
@Json
public record EvennessEntity(int least, int most) {

  static final EvennessEntity NONE = new EvennessEntity(0, 0);
}
