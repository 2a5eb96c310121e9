package fleet.cluster.rpc;

import com.google.protobuf.ByteString;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiHandler;
import fleet.cluster.request.ApiRequest;
import fleet.rpc.RpcChannels;
import fleet.rpc.v1.PassedRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes requests on to whoever leads, as they are, and its answers back. Before an answer has
 * begun the next leader is asked where that changes; one that breaks off later is cut off, but for
 * events, which go on with whoever leads then. Safe for use by many threads.
 */
public final class Relay implements ApiHandler, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Relay.class);

  /**
   * For how long one who does not mind old news looks for somebody who has others: the leader that
   * was asked last may be cut off from the store while another leads.
   */
  private static final Duration NEWS = Duration.ofSeconds(1);

  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final String LAST_EVENT = "Last-Event-ID";

  /** The headers that have a meaning to the API. */
  private static final List<String> HEADERS = List.of("Content-Type", LAST_EVENT);

  private static final Pattern STALE = Pattern.compile("[?&]stale=(1|true)(&|$)");

  /** How often in a row whoever leads may begin to tell events and end before it told one. */
  private static final int MOST_IN_VAIN = 8;

  private final LeaderCalls calls;
  private final LongSupplier written;
  private final Duration patience;

  /**
   * Asks through channels that are opened for it.
   *
   * @param written the newest revision of the store that this fleetd has written itself, which
   *     answers are to see; 0 for none
   * @param patience for how long a leader is looked for
   */
  public Relay(Leaders leaders, RpcChannels channels, LongSupplier written, Duration patience) {
    this.calls = new LeaderCalls(leaders, channels);
    this.written = written;
    this.patience = patience;
  }

  @Override
  public void close() {
    calls.close();
  }

  @Override
  public void handle(ApiRequest request, ApiAnswer answer)
      throws IOException, InterruptedException {
    PassedRequest passed = passed(request);
    boolean again = request.mayBeRepeated();
    try (Reader reader = new Reader(answer)) {
      Optional<String> position =
          copied(first(passed, again, takesOldNews(request)), answer, reader);
      if (position.isPresent()) {
        goOn(passed, again, position.get(), answer);
      }
    }
  }

  private static Optional<String> copied(PassedAnswer first, ApiAnswer answer, Reader reader)
      throws IOException, InterruptedException {
    try (first) {
      if (first.isWhole()) {
        first.copyTo(answer);
        return Optional.empty();
      }
      answer.begin(first.head());
      reader.watch(first.head());
      return first.appendTo(answer, Optional.empty());
    }
  }

  /** Interrupts this thread when nobody reads an endless answer any more, whoever tells it then. */
  private static final class Reader implements AutoCloseable {
    private final ApiAnswer answer;
    private ApiAnswer.Watch watch = () -> {};

    Reader(ApiAnswer answer) {
      this.answer = answer;
    }

    /** The reader of what has an end is missed when that is written. */
    void watch(ApiAnswer.Head head) {
      if (head.isEndless()) {
        watch = answer.onGone(Thread.currentThread()::interrupt);
      }
    }

    @Override
    public void close() {
      watch.close();
    }
  }

  /** A request that changes something is done by who leads, or not at all. */
  private static boolean takesOldNews(ApiRequest request) {
    return request.method().equals("GET") && STALE.matcher(request.target()).find();
  }

  private PassedRequest passed(ApiRequest request) throws IOException {
    PassedRequest.Builder passed =
        PassedRequest.newBuilder()
            .setMethod(request.method())
            .setTarget(request.target())
            .setBody(ByteString.copyFrom(request.body(Integer.MAX_VALUE).orElseThrow()))
            .setCaller(request.caller().name())
            .setAsker(Askers.message(request.subject()))
            .setConnection(request.connection())
            .setRequestId(request.requestId())
            .setAtLeast(written.getAsLong());
    for (String name : HEADERS) {
      request.headers(name).forEach(value -> passed.addHeaders(Headers.message(name, value)));
    }
    return passed.build();
  }

  private PassedAnswer first(PassedRequest passed, boolean again, boolean oldToo) {
    long begun = System.nanoTime();
    return (oldToo ? news(passed) : Optional.<PassedAnswer>empty())
        .orElseGet(() ->
            calls.call(passed, again, patience.minus(Duration.ofNanos(System.nanoTime() - begun))));
  }

  /** An answer that is not old, if there is one soon. */
  private Optional<PassedAnswer> news(PassedRequest passed) {
    PassedRequest certain = passed.toBuilder().setMustBeCertain(true).build();
    try {
      PassedAnswer news = calls.call(certain, true, NEWS);
      if (news.head().status() != UNAVAILABLE) {
        return Optional.of(news);
      }
      news.close();
    } catch (ClusterUnavailableException e) {
      log.debug("asking for what was known: {}", e.getMessage());
    }
    return Optional.empty();
  }

  /** Has whoever leads by then tell what follows a position, and again where that breaks off. */
  private void goOn(PassedRequest passed, boolean again, String from, ApiAnswer answer)
      throws IOException, InterruptedException {
    Optional<String> position = Optional.of(from);
    RetryDelay delay = RetryDelay.FIRST;
    int inVain = 0;
    while (position.isPresent()) {
      Optional<String> before = position;
      boolean told;
      try (PassedAnswer more = calls.call(after(before.get(), passed), again, patience)) {
        if (more.head().status() != OK) {
          throw new IOException("the next leader answers with " + more.head().status());
        }
        position = more.appendTo(answer, before);
        told = more.hasTold();
      }
      if (told || !position.equals(before)) {
        delay = RetryDelay.FIRST;
        inVain = 0;
      } else if (inVain++ < MOST_IN_VAIN) {
        calls.await(delay);
        delay = delay.next();
      } else {
        throw new IOException("whoever leads tells nothing of what follows " + before.get());
      }
    }
  }

  /** Asks for what follows a position. */
  private static PassedRequest after(String position, PassedRequest passed) {
    PassedRequest.Builder next = passed.toBuilder().setContinued(true).clearHeaders();
    passed.getHeadersList().stream()
        .filter(header -> !header.getName().equals(LAST_EVENT))
        .forEach(next::addHeaders);
    return next.addHeaders(Headers.message(LAST_EVENT, position)).build();
  }
}
