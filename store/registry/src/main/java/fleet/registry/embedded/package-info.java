/**
 * The registry kept in one directory of this machine, on SQLite.
 *
 * <p>The directory holds {@code registry.db} with its write-ahead log, {@code store-id} (says that
 * a registry was made here, so that a missing database is not taken for a new one), {@code
 * acknowledged} (see {@link fleet.registry.embedded.AcknowledgedRevision}) and {@code lock}.
 */
@NullMarked
package fleet.registry.embedded;

import org.jspecify.annotations.NullMarked;
