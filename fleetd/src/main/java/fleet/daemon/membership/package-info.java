/** What makes this machine one of its cluster: its identity, and who it believes. */
@NullMarked
package fleet.daemon.membership;

import org.jspecify.annotations.NullMarked;
