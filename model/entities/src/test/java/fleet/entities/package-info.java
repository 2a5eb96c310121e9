@NullMarked
package fleet.entities;

import org.jspecify.annotations.NullMarked;
