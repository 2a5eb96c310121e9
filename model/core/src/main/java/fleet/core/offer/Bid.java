package fleet.core.offer;

import fleet.core.unit.UnitName;

/** A machine's answer to an {@link Offer}; a later one replaces it. */
public sealed interface Bid {

  UnitName unit();

  /** The id of the offer that this answers. */
  String offer();

  /**
   * The machine takes the unit.
   *
   * @param busy its reluctance, in percent; the lowest bid is best
   * @param measured what that comes from, for people
   */
  record Made(UnitName unit, String offer, int busy, String measured) implements Bid {

    public Made {
      if (busy < 0) {
        throw new IllegalArgumentException("less busy than not at all: " + busy);
      }
    }
  }

  /**
   * The machine would rather not have the unit, as it is now.
   *
   * @param why said of the machine, such as "its memory pressure is 40 %"
   */
  record Declined(UnitName unit, String offer, String why) implements Bid {}
}
