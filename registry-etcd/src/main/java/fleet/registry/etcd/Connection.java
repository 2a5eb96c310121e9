package fleet.registry.etcd;

import fleet.registry.RegistryException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.netty.handler.ssl.SslContext;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Requests to etcd that end in time. Safe for many threads. */
final class Connection implements AutoCloseable {

  /** etcd closes connections that are asked for a sign of life more often than every 5 s. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(6);

  private static final Duration SILENCE = Duration.ofSeconds(2);

  /** A way to etcd that is only slow keeps its client: a new one would have to begin anew on it. */
  private static final Duration SLOWNESS = Duration.ofSeconds(5);

  /** Renewals wait longer than other requests: nobody is to lose a lease because etcd is slow. */
  private static final Duration RENEWAL = Duration.ofSeconds(4);

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final EtcdOptions options;
  private final Faults faults;
  private final Optional<SslContext> tls;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final Object lock = new Object();
  private Client client;
  private long since = System.nanoTime();

  /** The highest revision that etcd has told. */
  private final AtomicLong seen = new AtomicLong();

  /** The etcd cluster that has answered; 0 where none has yet. */
  private final AtomicLong cluster = new AtomicLong();

  private volatile long answered = System.nanoTime();
  private boolean closed;

  Connection(EtcdOptions options) {
    this.options = options;
    this.faults = new Faults(options.where());
    this.tls = options.tls().map(CurrentTls::new);
    this.client = client();
  }

  private Client client() {
    ClientBuilder builder =
        Client.builder()
            .endpoints(options.endpoints())
            // A request that cannot be sent says so, instead of waiting until somebody listens.
            .waitForReady(false)
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .connectTimeout(options.requestTimeout())
            .keepaliveTime(SIGN_OF_LIFE)
            .keepaliveTimeout(longer(options.requestTimeout(), RENEWAL))
            .keepaliveWithoutCalls(true)
            .executorService(executor)
            .retryDelay(20)
            .retryMaxDelay(40)
            .interceptor(
                new Deadline(options.requestTimeout(), longer(options.requestTimeout(), RENEWAL)),
                new OneRenewal());
    options
        .login()
        .ifPresent(login -> builder.user(text(login.user())).password(text(login.password())));
    tls.ifPresent(builder::sslContext);
    return builder.build();
  }

  private static ByteSequence text(String text) {
    return KeySpace.value(text);
  }

  EtcdOptions options() {
    return options;
  }

  Faults faults() {
    return faults;
  }

  private Client current() {
    synchronized (lock) {
      return client;
    }
  }

  /**
   * After a failure: where nothing at all was answered for a while, begins with a new client. The
   * old one waits longer from one attempt to the next, up to two minutes, and would not notice for
   * as long that etcd is back. What it has under way fails, as it was about to.
   */
  void failed(EtcdFault fault) {
    long now = System.nanoTime();
    long silence = (fault.kind() == EtcdFault.Kind.NOT_SENT ? SILENCE : SLOWNESS).toNanos();
    Client old;
    synchronized (lock) {
      if (closed || now - since < silence || now - answered < silence) {
        return;
      }
      old = client;
      client = client();
      since = now;
    }
    old.close();
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  Watch watches() {
    return current().getWatchClient();
  }

  /**
   * Sends one request, once; what answers is the cluster that answered before, and not back in
   * time.
   */
  <T extends Response> T send(Function<KV, CompletableFuture<T>> request) throws EtcdFault {
    long known = seen.get();
    T told = sendAnew(request);
    long revision = told.getHeader().getRevision();
    long its = told.getHeader().getClusterId();
    if (revision < known || !(cluster.compareAndSet(0, its) || cluster.get() == its)) {
      throw faults.wentBackwards(known, revision);
    }
    saw(revision);
    return told;
  }

  private <T extends Response> T sendAnew(Function<KV, CompletableFuture<T>> request)
      throws EtcdFault {
    return answer(request.apply(current().getKVClient()));
  }

  /** Notes a revision that etcd has come to. */
  void saw(long revision) {
    seen.accumulateAndGet(revision, Math::max);
  }

  /** Whether etcd is known to have come to that revision. */
  boolean hasSeen(long revision) {
    return revision <= seen.get();
  }

  /** Sends one request about leases, once. */
  <T extends Response> T sendLease(Function<Lease, CompletableFuture<T>> request) throws EtcdFault {
    T told = answer(request.apply(current().getLeaseClient()));
    // The member that told it may lag behind the others.
    saw(told.getHeader().getRevision());
    return told;
  }

  /** What one member tells of itself, also where it has no leader. */
  StatusResponse status(URI endpoint) throws EtcdFault {
    return await(current().getMaintenanceClient().statusMember(endpoint.toString()));
  }

  private <T> T answer(CompletableFuture<T> answer) throws EtcdFault {
    try {
      T told = await(answer);
      answered = System.nanoTime();
      return told;
    } catch (EtcdFault e) {
      throw noted(e);
    }
  }

  private <T> T await(CompletableFuture<T> answer) throws EtcdFault {
    try {
      // The deadline comes first; this is for whatever it does not reach.
      return answer.get(
          longer(options.requestTimeout(), RENEWAL).toMillis() * 2, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw faults.of(e);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw faults.timedOut(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RegistryException("interrupted while waiting for " + options.where(), e);
    }
  }

  private EtcdFault noted(EtcdFault fault) {
    if (fault.passing()) {
      failed(fault);
    } else {
      answered = System.nanoTime();
    }
    return fault;
  }

  /** Sends a request that may safely be sent again, until it is answered or patience ends. */
  <T extends Response> T repeat(Function<KV, CompletableFuture<T>> request) throws EtcdFault {
    return repeat(options.patience(), () -> send(request));
  }

  /** The same, of a store that has gone back: begins to note its revisions from here. */
  <T extends Response> T repeatAnew(Function<KV, CompletableFuture<T>> request) throws EtcdFault {
    T told = repeat(options.patience(), () -> sendAnew(request));
    seen.set(told.getHeader().getRevision());
    cluster.set(told.getHeader().getClusterId());
    return told;
  }

  /** A request to be sent. */
  interface Request<T> {
    T send() throws EtcdFault;
  }

  /** Tries at least once, and again where that may help, until so much time has passed. */
  <T> T repeat(Duration patience, Request<T> request) throws EtcdFault {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return request.send();
      } catch (EtcdFault e) {
        if (!e.passing() || System.nanoTime() > deadline) {
          throw e;
        }
        pause();
      }
    }
  }

  /** Between two attempts. */
  void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RegistryException("interrupted while waiting for " + options.where(), e);
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      client.close();
    }
    executor.close();
  }

  /** jetcd asks for a renewal a second time as it ends the stream it made for it. */
  private record OneRenewal() implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions call, Channel next) {
      ClientCall<Q, A> stream = next.newCall(method, call);
      return method.equals(LeaseGrpc.getLeaseKeepAliveMethod()) ? new FirstOnly<>(stream) : stream;
    }
  }

  /** Sends the first message, and no other. */
  private static final class FirstOnly<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final AtomicBoolean sent = new AtomicBoolean();

    private FirstOnly(ClientCall<Q, A> stream) {
      super(stream);
    }

    @Override
    public void sendMessage(Q message) {
      if (sent.compareAndSet(false, true)) {
        super.sendMessage(message);
      }
    }
  }

  /** Ends each request, but not the streams of watches, after a while. */
  private record Deadline(Duration after, Duration ofRenewals) implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions call, Channel next) {
      if (method.equals(LeaseGrpc.getLeaseKeepAliveMethod())) {
        return next.newCall(method, ending(call, ofRenewals));
      }
      boolean unary = method.getType() == MethodDescriptor.MethodType.UNARY;
      return next.newCall(method, unary ? ending(call, after) : call);
    }

    private static CallOptions ending(CallOptions call, Duration after) {
      return call.withDeadlineAfter(after.toMillis(), TimeUnit.MILLISECONDS);
    }
  }
}
