@NullMarked
package fleet.agent;

import org.jspecify.annotations.NullMarked;
