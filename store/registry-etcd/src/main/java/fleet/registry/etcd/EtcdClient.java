package fleet.registry.etcd;

import fleet.registry.RegistryException;
import fleet.registry.etcd.EtcdEndpoint.Request;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.cluster.Member;
import io.etcd.jetcd.common.exception.ClosedClientException;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.netty.handler.ssl.SslContext;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Requests to etcd that end in time. Safe for many threads. */
final class EtcdClient implements AutoCloseable {

  /** etcd closes connections that are asked for a sign of life more often than every 5 s. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(6);

  /** For the answer of one member while others have answered. */
  private static final Duration BRIEF = Duration.ofSeconds(1);

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** The longest time for callbacks of etcd's client once it is closed. */
  private static final Duration CALLBACKS = Duration.ofSeconds(5);

  private final EtcdOptions options;
  private final ConnectionTimeouts timing;
  private final EtcdFaults faults;
  private final Optional<SslContext> tls;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final EtcdEndpoints endpoints;

  /** The highest revision that etcd has told. */
  private final AtomicLong seen = new AtomicLong();

  /** The etcd cluster that has answered; 0 if none has yet. */
  private final AtomicLong cluster = new AtomicLong();

  /** For how long a request is sent again. */
  private volatile Duration patience;

  private volatile boolean closed;

  EtcdClient(EtcdOptions options) {
    this(options, ConnectionTimeouts.REAL);
  }

  EtcdClient(EtcdOptions options, ConnectionTimeouts timing) {
    this(options, timing, options.patience());
  }

  /** A client that never repeats a request on one connection by itself. */
  static EtcdClient impatient(EtcdOptions options) {
    return new EtcdClient(options, ConnectionTimeouts.REAL, Duration.ZERO);
  }

  private EtcdClient(EtcdOptions options, ConnectionTimeouts timing, Duration patience) {
    this.patience = patience;
    this.options = options;
    this.timing = timing;
    this.faults = new EtcdFaults(options.where());
    this.tls = options.tls().map(CurrentTls::new);
    this.endpoints =
        new EtcdEndpoints(options.endpoints(), options.writer().hashCode(), this::connect, timing);
  }

  private Client connect(URI endpoint) {
    if (closed) {
      throw faults.closed();
    }
    ClientBuilder builder =
        Client.builder()
            .endpoints(endpoint)
            // A request that cannot be sent fails, instead of waiting for a connection.
            .waitForReady(false)
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .connectTimeout(options.requestTimeout())
            .keepaliveTime(SIGN_OF_LIFE)
            .keepaliveTimeout(longest())
            .keepaliveWithoutCalls(true)
            .executorService(executor)
            .retryDelay(20)
            .retryMaxDelay(40)
            .interceptor(new Deadline(options.requestTimeout()), new LeaseRenewals());
    options
        .login()
        .ifPresent(login -> builder.user(text(login.user())).password(text(login.password())));
    tls.ifPresent(builder::sslContext);
    return builder.build();
  }

  private static ByteSequence text(String text) {
    return KeySpace.value(text);
  }

  /** From now on requests are sent again for as long as the options say. */
  void bePatient() {
    patience = options.patience();
  }

  /** For how long a request is sent again. */
  Duration patience() {
    return patience;
  }

  EtcdOptions options() {
    return options;
  }

  EtcdFaults faults() {
    return faults;
  }

  ConnectionTimeouts timing() {
    return timing;
  }

  /** Time in nanoseconds since some moment, by which calls give up. */
  long nanoTime() {
    return timing.nanoTime();
  }

  /**
   * Opens a watch.
   *
   * @param opening what makes the stream that etcd is then to confirm
   */
  WatchStream watch(Function<Watch, WatchStream> opening) throws EtcdFault {
    try (Request request = endpoints.begin()) {
      WatchStream stream = opened(opening, request.client());
      try {
        stream.awaitOpen(options.requestTimeout());
        endpoints.answered(request);
        return stream;
      } catch (EtcdFault e) {
        stream.close();
        request.failed(e);
        throw e;
      }
    }
  }

  /**
   * Another request may have closed the client meanwhile, which says nothing about the connection.
   */
  private WatchStream opened(Function<Watch, WatchStream> opening, Client client) throws EtcdFault {
    try {
      return opening.apply(client.getWatchClient());
    } catch (ClosedClientException e) {
      throw faults.letGo(e);
    }
  }

  /** Sends one request, once; checks that the same cluster answers, and not from the past. */
  <T extends Response> T send(Function<KV, CompletableFuture<T>> request) throws EtcdFault {
    long known = seen.get();
    T told = sendUnchecked(request);
    long revision = told.getHeader().getRevision();
    long its = told.getHeader().getClusterId();
    if (revision < known || !(cluster.compareAndSet(0, its) || cluster.get() == its)) {
      throw faults.wentBackwards(known, revision);
    }
    saw(revision);
    return told;
  }

  private <T extends Response> T sendUnchecked(Function<KV, CompletableFuture<T>> request)
      throws EtcdFault {
    return answer(client -> request.apply(client.getKVClient()));
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
    T told = answer(client -> request.apply(client.getLeaseClient()));
    // The member that told it may lag behind the others.
    saw(told.getHeader().getRevision());
    return told;
  }

  /** Renews a lease, once. */
  LeaseKeepAliveResponse renew(long lease) throws EtcdFault {
    LeaseKeepAliveResponse told =
        answer(longest(), client -> client.getLeaseClient().keepAliveOnce(lease));
    saw(told.getHeader().getRevision());
    return told;
  }

  /** How long etcd has for requests that must not be given up early. */
  private Duration longest() {
    return Collections.max(List.of(options.requestTimeout(), timing.renewal()));
  }

  /** The status of one member, also if it has no leader. */
  StatusResponse status(URI endpoint) throws EtcdFault {
    return status(endpoint, lastResort());
  }

  /** The same for people, who wait for a member that is gone. */
  StatusResponse briefStatus(URI endpoint) throws EtcdFault {
    return status(endpoint, BRIEF);
  }

  private StatusResponse status(URI endpoint, Duration within) throws EtcdFault {
    return await(
        within, endpoints.client().getMaintenanceClient().statusMember(endpoint.toString()));
  }

  /** The members of etcd, as one of them knows them. */
  List<Member> members() throws EtcdFault {
    return repeat(Duration.ZERO, () -> answer(client -> client.getClusterClient().listMember()))
        .getMembers();
  }

  private <T> T answer(Function<Client, CompletableFuture<T>> asking) throws EtcdFault {
    return answer(lastResort(), asking);
  }

  /** Each request has an earlier deadline; this is for the rest. */
  private Duration lastResort() {
    return longest().multipliedBy(2);
  }

  private <T> T answer(Duration within, Function<Client, CompletableFuture<T>> asking)
      throws EtcdFault {
    try (Request request = endpoints.begin()) {
      try {
        T told = await(within, asking.apply(request.client()));
        endpoints.answered(request);
        return told;
      } catch (EtcdFault e) {
        request.failed(e);
        throw e;
      }
    }
  }

  private <T> T await(Duration within, CompletableFuture<T> answer) throws EtcdFault {
    try {
      return answer.get(within.toMillis(), TimeUnit.MILLISECONDS);
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

  /** Sends a request that may safely be sent again, until it is answered or patience ends. */
  <T extends Response> T repeat(Function<KV, CompletableFuture<T>> request) throws EtcdFault {
    return repeat(patience, () -> send(request));
  }

  /** The same, of a store that has gone back: begins to note its revisions from here. */
  <T extends Response> T repeatAndReset(Function<KV, CompletableFuture<T>> request)
      throws EtcdFault {
    T told = repeat(patience, () -> sendUnchecked(request));
    seen.set(told.getHeader().getRevision());
    cluster.set(told.getHeader().getClusterId());
    return told;
  }

  /** A request to be sent. */
  interface Attempt<T> {
    T send() throws EtcdFault;
  }

  /** Tries each endpoint once if that may help, and again until a time has passed. */
  <T> T repeat(Duration patience, Attempt<T> attempt) throws EtcdFault {
    long deadline = nanoTime() + patience.toNanos();
    int untried = endpoints.count();
    while (true) {
      try {
        return attempt.send();
      } catch (EtcdFault e) {
        untried--;
        if (!e.passing() || (untried <= 0 && nanoTime() > deadline)) {
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
    closed = true;
    endpoints.close();
    end(executor);
  }

  /** Does not wait for hanging callbacks: the closing thread may be about to report the fault. */
  private static void end(ExecutorService executor) {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(CALLBACKS.toMillis(), TimeUnit.MILLISECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** Ends each request, but not the streams of watches and renewals, after a while. */
  private record Deadline(Duration after) implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions call, Channel next) {
      boolean unary = method.getType() == MethodDescriptor.MethodType.UNARY;
      return next.newCall(
          method, unary ? call.withDeadlineAfter(after.toMillis(), TimeUnit.MILLISECONDS) : call);
    }
  }
}
