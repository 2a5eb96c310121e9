/** Candidates for the word at the cursor of a shell. */
@NullMarked
package fleet.fleetctl.completion;

import org.jspecify.annotations.NullMarked;
