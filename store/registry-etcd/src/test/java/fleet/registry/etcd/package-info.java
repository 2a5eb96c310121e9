@NullMarked
package fleet.registry.etcd;

import org.jspecify.annotations.NullMarked;
