@NullMarked
package fleet.api;

import org.jspecify.annotations.NullMarked;
