/** Writes the audit log to the journal, and to a file if one is set. */
@NullMarked
package fleet.fleetd.audit;

import org.jspecify.annotations.NullMarked;
