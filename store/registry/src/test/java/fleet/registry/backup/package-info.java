/** Tests of backups. */
@NullMarked
package fleet.registry.backup;

import org.jspecify.annotations.NullMarked;
