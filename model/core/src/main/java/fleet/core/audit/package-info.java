/** The audit log: what is written down of requests, and how. */
@NullMarked
package fleet.core.audit;

import org.jspecify.annotations.NullMarked;
