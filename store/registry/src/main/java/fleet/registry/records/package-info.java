/** The content of the registry: the keys, and the records that are their values. */
@NullMarked
package fleet.registry.records;

import org.jspecify.annotations.NullMarked;
