/** Certificates of people: asked for, kept, shown and renewed, with the JDK alone. */
@NullMarked
package fleet.fleetctl.login;

import org.jspecify.annotations.NullMarked;
