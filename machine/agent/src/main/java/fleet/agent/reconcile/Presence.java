package fleet.agent.reconcile;

import fleet.core.unit.Incarnation;
import java.util.OptionalLong;

/**
 * One unit's presence on the machine.
 *
 * @param started the restart counter of the last start that systemd was asked for and no stop has
 *     undone; empty if the unit is merely loaded
 */
public record Presence(Incarnation incarnation, OptionalLong started) {}
