/**
 * The content of the registry: the keys, and the records that are their values.
 *
 * <p>Each record has a method {@code of} that reads a stored value, and throws a {@link
 * fleet.registry.RegistryException} if that is not one of these; and a method {@code json} that
 * gives the value to store.
 */
@NullMarked
package fleet.registry.records;

import org.jspecify.annotations.NullMarked;
