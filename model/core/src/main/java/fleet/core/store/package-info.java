/** The store of record, as people ask about it. */
@NullMarked
package fleet.core.store;

import org.jspecify.annotations.NullMarked;
