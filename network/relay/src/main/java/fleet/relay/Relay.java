package fleet.relay;

import com.google.protobuf.ByteString;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiHandler;
import fleet.cluster.request.ApiRequest;
import fleet.rpc.CandidateAddresses;
import fleet.rpc.RpcChannels;
import fleet.rpc.v1.Header;
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
 * Relays requests to the leader unchanged, and its answers back. Before an answer has begun, the
 * next leader is asked if the leader changes; an answer that breaks off later is cut, except for
 * events, which continue with the next leader. Safe for use by many threads.
 */
public final class Relay implements ApiHandler, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Relay.class);

  /**
   * How long a request that accepts stale answers looks for a better one: the leader that was asked
   * last may be cut off from the store while another leads.
   */
  private static final Duration NEWS = Duration.ofSeconds(1);

  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final String LAST_EVENT = "Last-Event-ID";

  /** The headers that have a meaning to the API. */
  private static final List<String> HEADERS = List.of("Content-Type", LAST_EVENT);

  private static final Pattern STALE = Pattern.compile("[?&]stale=(1|true)(&|$)");

  /** How often in a row a leader may begin a stream of events and end it without any. */
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
  public Relay(
      CandidateAddresses addresses, RpcChannels channels, LongSupplier written, Duration patience) {
    this.calls = new LeaderCalls(addresses, channels);
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
    try (PassedAnswer first = first(passed, again, takesOldNews(request))) {
      if (first.isWhole()) {
        first.copyTo(answer);
        return;
      }
      answer.begin(first.head());
      try (ApiAnswer.Watch _ = watch(answer, first.head())) {
        Optional<String> position = first.appendTo(answer, Optional.empty());
        if (position.isPresent()) {
          goOn(passed, again, position.get(), answer);
        }
      }
    }
  }

  /**
   * Interrupts this thread when an endless answer has no reader any more. For a finite answer, the
   * write fails.
   */
  private static ApiAnswer.Watch watch(ApiAnswer answer, ApiAnswer.Head head) {
    return head.isEndless() ? answer.onGone(Thread.currentThread()::interrupt) : () -> {};
  }

  /** A request that changes something is done by the leader, or not at all. */
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
            .setAsker(SubjectMessages.message(request.subject()))
            .setConnection(request.connection())
            .setRequestId(request.requestId())
            .setAtLeast(written.getAsLong());
    for (String name : HEADERS) {
      request.headers(name).forEach(value -> passed.addHeaders(header(name, value)));
    }
    return passed.build();
  }

  private static Header header(String name, String value) {
    return Header.newBuilder().setName(name).setValue(value).build();
  }

  /** A current answer, if there is one soon. */
  private PassedAnswer first(PassedRequest passed, boolean again, boolean oldToo)
      throws InterruptedException {
    long begun = System.nanoTime();
    if (oldToo) {
      try {
        PassedAnswer news =
            calls.call(passed.toBuilder().setMustBeCertain(true).build(), true, NEWS);
        if (news.head().status() != UNAVAILABLE) {
          return news;
        }
        news.close();
      } catch (ClusterUnavailableException e) {
        log.debug("asking for what was known: {}", e.getMessage());
      }
    }
    return calls.call(passed, again, patience.minusNanos(System.nanoTime() - begun));
  }

  /** Asks the present leader for what follows a position, and again if that breaks off. */
  private void goOn(PassedRequest passed, boolean again, String from, ApiAnswer answer)
      throws IOException, InterruptedException {
    Optional<String> position = Optional.of(from);
    int inVain = 0;
    while (position.isPresent()) {
      Optional<String> before = position;
      try (PassedAnswer more = calls.call(after(before.get(), passed), again, patience)) {
        if (more.head().status() != OK) {
          throw new IOException("the next leader answers with " + more.head().status());
        }
        position = more.appendTo(answer, position);
        inVain = more.hasTold() || !position.equals(before) ? 0 : inVain + 1;
      }
      if (inVain > MOST_IN_VAIN) {
        throw new IOException("the leader sends no events after " + before.get());
      }
      if (inVain > 0) {
        calls.await(inVain - 1);
      }
    }
  }

  /** Asks for what follows a position. */
  private static PassedRequest after(String position, PassedRequest passed) {
    return passed.toBuilder()
        .setContinued(true)
        .clearHeaders()
        .addHeaders(header(LAST_EVENT, position))
        .build();
  }
}
