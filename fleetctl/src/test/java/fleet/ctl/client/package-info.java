@NullMarked
package fleet.ctl.client;

import org.jspecify.annotations.NullMarked;
