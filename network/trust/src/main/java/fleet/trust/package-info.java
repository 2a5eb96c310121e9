/**
 * The trust between machines of a cluster: its authority, the tokens with which machines join, and
 * the identity of each machine.
 */
@NullMarked
package fleet.trust;

import org.jspecify.annotations.NullMarked;
