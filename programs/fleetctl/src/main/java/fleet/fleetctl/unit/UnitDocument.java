package fleet.fleetctl.unit;

/**
 * A unit's text from a stream of several.
 *
 * @param name as the stream gives it, which may be none of a unit
 * @param linesBefore how many lines of the stream stand before the text
 * @param text with the line ends of the stream
 */
record UnitDocument(String name, int linesBefore, String text) {}
