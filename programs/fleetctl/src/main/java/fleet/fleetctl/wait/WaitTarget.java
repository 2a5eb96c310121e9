package fleet.fleetctl.wait;

/** A unit and the awaited goal. */
public record WaitTarget(String unit, Goal goal) {}
