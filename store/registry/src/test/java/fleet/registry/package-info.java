@NullMarked
package fleet.registry;

import org.jspecify.annotations.NullMarked;
