@NullMarked
package fleet.registry.records;

import org.jspecify.annotations.NullMarked;
