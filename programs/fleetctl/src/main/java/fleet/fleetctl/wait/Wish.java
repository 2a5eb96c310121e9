package fleet.fleetctl.wait;

/** A unit and what is waited for. */
public record Wish(String unit, Goal goal) {}
