/** Tests of who may do what. */
@NullMarked
package fleet.core.access;

import org.jspecify.annotations.NullMarked;
