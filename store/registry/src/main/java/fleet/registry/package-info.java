/** The store of record: keys and values, transactions, watches. */
@NullMarked
package fleet.registry;

import org.jspecify.annotations.NullMarked;
