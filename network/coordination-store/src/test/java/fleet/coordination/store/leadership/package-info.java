/** Leadership by a key with a lease: who stands for it, who has it, and who follows. */
@NullMarked
package fleet.coordination.store.leadership;

import org.jspecify.annotations.NullMarked;
