/** The entities of HTTP API v1 and their JSON, shared by the API and fleetctl. */
@NullMarked
package fleet.entities;

import org.jspecify.annotations.NullMarked;
