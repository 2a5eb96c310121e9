@NullMarked
package fleet.core.text;

import org.jspecify.annotations.NullMarked;
