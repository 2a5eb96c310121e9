/** Tests of backups. */
@NullMarked
package fleet.core.backup;

import org.jspecify.annotations.NullMarked;
