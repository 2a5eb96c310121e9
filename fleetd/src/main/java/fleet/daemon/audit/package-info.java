/** Where the audit log is written: to the journal, and to a file where one is set. */
@NullMarked
package fleet.daemon.audit;

import org.jspecify.annotations.NullMarked;
