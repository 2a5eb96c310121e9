package fleet.fleetctl.wait;

/** A unit and the awaited goal. */
public record Wish(String unit, Goal goal) {}
