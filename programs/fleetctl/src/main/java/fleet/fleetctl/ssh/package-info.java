/** The system's ssh: how it is called, and connections to fleetd through it. */
@NullMarked
package fleet.fleetctl.ssh;

import org.jspecify.annotations.NullMarked;
