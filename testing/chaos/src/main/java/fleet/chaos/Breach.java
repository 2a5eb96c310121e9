package fleet.chaos;

/**
 * Something that fleet promises and that did not hold.
 *
 * @param unit the unit
 * @param atMicros about when
 * @param text for people
 */
record Breach(String unit, long atMicros, String text) {}
