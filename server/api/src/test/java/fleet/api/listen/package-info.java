@NullMarked
package fleet.api.listen;

import org.jspecify.annotations.NullMarked;
