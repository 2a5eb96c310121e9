/** The cluster port: all that the API sees of fleet. */
@NullMarked
package fleet.cluster;

import org.jspecify.annotations.NullMarked;
