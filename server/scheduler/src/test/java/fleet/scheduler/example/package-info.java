/** Rules of one's own, as {@code docs/rules.md} shows them. */
@NullMarked
package fleet.scheduler.example;

import org.jspecify.annotations.NullMarked;
