/** Requests of API v1, as they go from one fleetd to another. */
@NullMarked
package fleet.cluster.request;

import org.jspecify.annotations.NullMarked;
