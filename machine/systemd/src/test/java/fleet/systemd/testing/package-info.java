/** A real systemd for tests, private to them. */
@NullMarked
package fleet.systemd.testing;

import org.jspecify.annotations.NullMarked;
