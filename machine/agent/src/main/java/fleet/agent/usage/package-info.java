/** Measures what this machine and its units use. */
@NullMarked
package fleet.agent.usage;

import org.jspecify.annotations.NullMarked;
