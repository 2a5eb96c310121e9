@NullMarked
package fleet.trust;

import org.jspecify.annotations.NullMarked;
