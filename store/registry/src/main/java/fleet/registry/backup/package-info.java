/** Backups of a registry, which restore into any registry. */
@NullMarked
package fleet.registry.backup;

import org.jspecify.annotations.NullMarked;
