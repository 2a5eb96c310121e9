/** This machine: its identity, and facts about it that may change. */
@NullMarked
package fleet.daemon.machine;

import org.jspecify.annotations.NullMarked;
