@NullMarked
package fleet.core.requirements;

import org.jspecify.annotations.NullMarked;
