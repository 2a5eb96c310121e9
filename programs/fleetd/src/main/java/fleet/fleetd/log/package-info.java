/** The log on stderr, for people and for the journal. */
@NullMarked
package fleet.fleetd.log;

import org.jspecify.annotations.NullMarked;
