/**
 * The registry on etcd v3.
 *
 * <p>Keys below {@code .store/} are this package's own: {@code .store/id} names the store, and
 * {@code .store/writer/} holds what {@link fleet.registry.etcd.EtcdCommitter} recognises its writes
 * by. Nobody is shown them.
 */
@NullMarked
package fleet.registry.etcd;

import org.jspecify.annotations.NullMarked;
