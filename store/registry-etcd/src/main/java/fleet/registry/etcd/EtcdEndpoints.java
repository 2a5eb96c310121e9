package fleet.registry.etcd;

import fleet.registry.etcd.EtcdEndpoint.Request;
import io.etcd.jetcd.Client;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All endpoints of etcd, of which one is used as long as it answers promptly. If it hangs, requests
 * go to another one, and the first that answers is used from then on. Safe for many threads.
 */
final class EtcdEndpoints implements AutoCloseable {

  private final List<EtcdEndpoint> endpoints;
  private final AtomicInteger used;

  /** The last that was tried beside the used one. */
  private final AtomicInteger tried;

  /**
   * @param first which endpoint to begin with; any number, so that many handles spread over them
   */
  EtcdEndpoints(
      List<URI> uris, int first, Function<URI, Client> connecting, ConnectionTimeouts timing) {
    // A single endpoint has two connections as well: TCP retransmits ever more rarely, so after a
    // while a new connection gets through sooner.
    Stream<URI> targets =
        uris.size() > 1 ? uris.stream() : Stream.of(uris.getFirst(), uris.getFirst());
    this.endpoints =
        targets.map(target -> new EtcdEndpoint(() -> connecting.apply(target), timing)).toList();
    this.used = new AtomicInteger(Math.floorMod(first, endpoints.size()));
    this.tried = new AtomicInteger(used.get());
  }

  int count() {
    return endpoints.size();
  }

  /** Begins a request, at the endpoint to use now. */
  Request begin() {
    return endpoints.get(choose()).begin();
  }

  private int choose() {
    int now = used.get();
    if (!endpoints.get(now).isSuspect()) {
      return now;
    }
    int last = tried.get();
    int chosen =
        IntStream.rangeClosed(1, endpoints.size())
            .map(step -> (last + step) % endpoints.size())
            .filter(index -> !endpoints.get(index).isSuspect())
            .findFirst()
            .orElse((last + 1) % endpoints.size());
    tried.set(chosen);
    return chosen;
  }

  /** The client in use, for calls without health information. */
  Client client() {
    return endpoints.get(used.get()).client();
  }

  void answered(Request request) {
    request.answered();
    int its = endpoints.indexOf(request.endpoint());
    int now = used.get();
    if (its != now && endpoints.get(now).isSuspect()) {
      used.compareAndSet(now, its);
    }
    for (EtcdEndpoint other : endpoints) {
      if (other != request.endpoint()) {
        other.overtakenBy(request);
      }
    }
  }

  @Override
  public void close() {
    endpoints.forEach(EtcdEndpoint::close);
  }
}
