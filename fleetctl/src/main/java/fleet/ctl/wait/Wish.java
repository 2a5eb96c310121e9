package fleet.ctl.wait;

/** A unit and what is waited for. */
public record Wish(String unit, Goal goal) {}
