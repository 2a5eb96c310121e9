package fleet.agent.reconcile;

import fleet.core.unit.Incarnation;
import java.util.OptionalLong;

/**
 * What is on the machine of one unit.
 *
 * @param started the restart counter of the last start that was asked of systemd and not taken back
 *     by a stop; empty where the unit is merely loaded
 */
public record Presence(Incarnation incarnation, OptionalLong started) {}
