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

  private final List<EtcdEndpoint> ways;
  private final AtomicInteger used;

  /** The last that was tried beside the used one. */
  private final AtomicInteger tried;

  /**
   * @param first which endpoint to begin with; any number, so that many handles spread over them
   */
  EtcdEndpoints(
      List<URI> endpoints, int first, Function<URI, Client> connecting, ConnectionTimeouts timing) {
    // A single endpoint has two connections as well: TCP retransmits ever more rarely, so after a
    // while a new connection gets through sooner.
    Stream<URI> targets =
        endpoints.size() > 1
            ? endpoints.stream()
            : Stream.of(endpoints.getFirst(), endpoints.getFirst());
    this.ways =
        targets.map(target -> new EtcdEndpoint(() -> connecting.apply(target), timing)).toList();
    this.used = new AtomicInteger(Math.floorMod(first, ways.size()));
    this.tried = new AtomicInteger(used.get());
  }

  int count() {
    return ways.size();
  }

  /** Begins a request, on the way to take now. */
  Request begin() {
    return ways.get(choose()).begin();
  }

  private int choose() {
    int now = used.get();
    if (!ways.get(now).isSuspect()) {
      return now;
    }
    int last = tried.get();
    int chosen =
        IntStream.rangeClosed(1, ways.size())
            .map(step -> (last + step) % ways.size())
            .filter(way -> !ways.get(way).isSuspect())
            .findFirst()
            .orElse((last + 1) % ways.size());
    tried.set(chosen);
    return chosen;
  }

  /** The client in use, for calls without health information. */
  Client client() {
    return ways.get(used.get()).client();
  }

  void answered(Request request) {
    request.answered();
    int its = ways.indexOf(request.way());
    int now = used.get();
    if (its != now && ways.get(now).isSuspect()) {
      used.compareAndSet(now, its);
    }
    for (EtcdEndpoint other : ways) {
      if (other != request.way()) {
        other.overtakenBy(request);
      }
    }
  }

  @Override
  public void close() {
    ways.forEach(EtcdEndpoint::close);
  }
}
