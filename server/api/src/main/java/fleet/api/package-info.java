/** HTTP API v1, served from the cluster port and knowing nothing else of fleet. */
@NullMarked
package fleet.api;

import org.jspecify.annotations.NullMarked;
