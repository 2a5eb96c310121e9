@NullMarked
package fleet.registry.embedded;

import org.jspecify.annotations.NullMarked;
