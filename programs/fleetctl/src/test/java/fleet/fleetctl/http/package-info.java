/** Tests of the HTTP client. */
@NullMarked
package fleet.fleetctl.http;

import org.jspecify.annotations.NullMarked;
