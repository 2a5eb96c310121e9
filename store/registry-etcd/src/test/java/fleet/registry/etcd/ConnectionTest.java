package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Watch;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Faults that a connection reports, without an etcd. */
class ConnectionTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  @Test
  void aWatchOnAClientThatWasGivenUpMeanwhileMayBeTriedAgain() {
    var nobody = List.of(URI.create("http://127.0.0.1:1"));
    var options = Registries.options(nobody, "one", TIMEOUT, TIMEOUT);
    try (EtcdClient connection = new EtcdClient(options)) {
      assertThatThrownBy(() -> connection.watch(watches -> afterItsEnd(connection, watches)))
          .asInstanceOf(type(EtcdFault.class))
          .matches(EtcdFault::passing);
    }
  }

  private static WatchStream afterItsEnd(EtcdClient connection, Watch watches) {
    watches.close();
    return WatchStream.open(
        connection.faults(), listener -> watches.watch(ByteSequence.EMPTY, listener));
  }
}
