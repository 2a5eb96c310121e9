package fleet.registry.etcd;

import io.etcd.jetcd.Client;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one endpoint of etcd, and its health. Connects when it is first used. Safe for
 * many threads.
 */
final class EtcdEndpoint implements AutoCloseable {

  /** By then an etcd that is well has answered. */
  private static final Duration PROMPT = Duration.ofMillis(600);

  private static final Duration REFUSED = Duration.ofSeconds(2);

  /** A slow endpoint keeps its connection: a new one would have to start again. */
  private static final Duration SILENT = Duration.ofSeconds(4);

  private final Supplier<Client> connecting;
  private final ConnectionTimeouts timing;
  private @Nullable Client client;
  private long connected;

  /** The first request that has no answer, and after which nothing else was answered. */
  private @Nullable Request unanswered;

  private boolean failing;

  EtcdEndpoint(Supplier<Client> connecting, ConnectionTimeouts timing) {
    this.connecting = connecting;
    this.timing = timing;
  }

  /** One request from when it is sent until it is answered or given up. */
  final class Request implements AutoCloseable {
    private final long sent = timing.nanoTime();
    private boolean ended;

    private Request() {}

    Client client() {
      return EtcdEndpoint.this.client();
    }

    EtcdEndpoint endpoint() {
      return EtcdEndpoint.this;
    }

    private boolean isOlderThan(Duration age) {
      return timing.nanoTime() - sent > age.toNanos();
    }

    void answered() {
      synchronized (EtcdEndpoint.this) {
        ended = true;
        unanswered = null;
        failing = false;
      }
    }

    /** A refusal is an answer as well, unless another attempt might help. */
    void failed(EtcdFault fault) {
      if (fault.passing()) {
        fails(this, fault.kind() == EtcdFault.Kind.NOT_SENT ? REFUSED : SILENT);
      } else {
        answered();
      }
    }

    /** Is waited for no longer. */
    @Override
    public void close() {
      synchronized (EtcdEndpoint.this) {
        ended = true;
      }
    }
  }

  synchronized Request begin() {
    Request request = new Request();
    if (unanswered == null || (unanswered.ended && !failing)) {
      unanswered = request;
    }
    return request;
  }

  synchronized Client client() {
    if (client == null) {
      client = connecting.get();
      connected = timing.nanoTime();
    }
    return client;
  }

  /** Whether its last request failed, or one waits for an answer while nothing else has come. */
  synchronized boolean isSuspect() {
    return failing || (unanswered != null && !unanswered.ended && unanswered.isOlderThan(PROMPT));
  }

  /**
   * Connects again if there was no answer for a while. The old connection backs off up to two
   * minutes, and would notice the return of etcd as late. Its requests in flight fail, as they
   * would anyway.
   */
  private void fails(Request request, Duration patience) {
    Client old = null;
    synchronized (this) {
      if (unanswered == null || unanswered.sent - request.sent > 0) {
        // The endpoint is well: others were answered meanwhile.
        return;
      }
      failing = true;
      if (unanswered.isOlderThan(patience) && timing.nanoTime() - connected > patience.toNanos()) {
        old = letGo();
      }
    }
    close(old);
  }

  /**
   * Notes that a request was answered by another endpoint. If this one has been silent for long to
   * earlier requests, its connection ends, so that these go elsewhere: a machine that is switched
   * off closes nothing.
   */
  void overtakenBy(Request elsewhere) {
    Client old = null;
    synchronized (this) {
      if (unanswered != null
          && isSuspect()
          && unanswered.isOlderThan(SILENT)
          && elsewhere.sent - unanswered.sent > 0) {
        failing = true;
        old = letGo();
      }
    }
    close(old);
  }

  private @Nullable Client letGo() {
    Client old = client;
    client = null;
    return old;
  }

  private static void close(@Nullable Client old) {
    if (old != null) {
      old.close();
    }
  }

  @Override
  public void close() {
    Client last;
    synchronized (this) {
      last = letGo();
    }
    close(last);
  }
}
