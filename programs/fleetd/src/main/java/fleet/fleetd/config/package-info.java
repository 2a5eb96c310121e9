/** The configuration of fleetd: its file, its environment, and the values they come to. */
@NullMarked
package fleet.fleetd.config;

import org.jspecify.annotations.NullMarked;
