package fleet.api;

import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import fleet.core.audit.AuditEntry;
import fleet.core.audit.AuditEntry.Result;
import fleet.core.audit.AuditLog;
import fleet.core.audit.AuditThrottle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An answer that is audited before it is sent, or before it ends if only its end tells the outcome,
 * and that names its request. An answer of another fleetd is audited there. For one thread.
 */
final class AuditedAnswer implements ApiAnswer {

  static final String REQUEST_ID = "X-Request-Id";

  private final ApiRequest request;
  private final Route route;
  private final ApiAnswer answer;
  private final AuditLog log;
  private final String id;
  private final List<Touched> touched = new ArrayList<>();
  private String reason = "";
  private boolean written;
  private boolean openOutcome;

  /**
   * The effect of a request on one thing.
   *
   * @param status of HTTP, as if it were the only one
   * @param why it was refused, or other details
   */
  private record Touched(String target, String before, String after, int status, String why) {}

  /**
   * @param route what answers it, or refuses it
   */
  AuditedAnswer(ApiRequest request, Route route, ApiAnswer answer, AuditLog log) {
    this.request = request;
    this.route = route;
    this.answer = answer;
    this.log = log;
    this.id = request.requestId().isEmpty() ? newId() : request.requestId();
  }

  /** A unique id. */
  static String newId() {
    return UUID.randomUUID().toString();
  }

  /** The route that answers the request, or refuses it. */
  Route route() {
    return route;
  }

  /** The name of the request for people. */
  String id() {
    return id;
  }

  /** The answer that the leader gives; the leader audits the request as well. */
  ApiAnswer ofLeader() {
    written = true;
    return answer;
  }

  /** Adds details of the request: why it is refused, or its parameters. */
  void because(String why) {
    reason = why;
  }

  /**
   * Adds the effect on one of several targets, or on one that the path does not name; also reads
   * that may show secrets.
   *
   * @param before hash of the text before; empty for none
   * @param after hash of the text after; empty for none
   */
  void touch(String target, String before, String after, int status, String why) {
    touched.add(new Touched(target, before, after, status, why));
  }

  /** The same of what has no text. */
  void touch(String target, int status, String why) {
    touch(target, "", "", status, why);
  }

  /** The answer begins before its outcome is known: {@link #hasOutcome} follows. */
  void awaitOutcome() {
    openOutcome = true;
  }

  void hasOutcome(boolean success) {
    write(success ? 200 : 500);
  }

  /** Writes another entry: the command of this request, whose begin was written down, has ended. */
  void ended(String how) {
    log.record(entry(name() + "-end", new Touched(route.about(), "", "", 200, how)));
  }

  /** The outcome is unknown, since fleetd is ending. */
  void brokeOff() {
    because("fleetd ended before this did");
    write(500);
  }

  private void write(int status) {
    if (written) {
      return;
    }
    written = true;
    if (route.isCommand() || !touched.isEmpty() || isDenied(status)) {
      if (touched.isEmpty()) {
        touch(route.about(), status, reason);
      }
      touched.forEach(one -> log.record(entry(name(), one)));
    }
  }

  private static boolean isDenied(int status) {
    return status == 401 || status == 403;
  }

  private AuditEntry entry(String action, Touched one) {
    return new AuditEntry(
        id,
        request.caller().name(),
        request.passedOnBy(),
        action,
        one.target(),
        one.before(),
        one.after(),
        result(one.status()),
        one.why(),
        0);
  }

  /** A separate name for requests of strangers, which they can repeat without limit. */
  private String name() {
    boolean isStrange =
        request.subject() instanceof Subject.Stranger && !route.name().equals(AuditThrottle.LOGIN);
    return isStrange ? AuditThrottle.STRANGER + route.name() : route.name();
  }

  private static Result result(int status) {
    if (status < 400) {
      return Result.DONE;
    }
    return status < 500 ? Result.REFUSED : Result.FAILED;
  }

  private Head named(Head head) {
    Map<String, String> headers = new HashMap<>(head.headers());
    headers.put(REQUEST_ID, id);
    return new Head(head.status(), headers, head.isEndless());
  }

  @Override
  public void whole(Head head, byte[] body) throws IOException {
    write(head.status());
    answer.whole(named(head), body);
  }

  @Override
  public void begin(Head head) throws IOException {
    if (!openOutcome) {
      write(head.status());
    }
    answer.begin(named(head));
  }

  @Override
  public void write(byte[] bytes, int length) throws IOException {
    answer.write(bytes, length);
  }

  @Override
  public void write(byte[] events, String lastEventId) throws IOException {
    answer.write(events, lastEventId);
  }

  @Override
  public void end(Map<String, String> trailers) throws IOException {
    answer.end(trailers);
  }

  @Override
  public void continueElsewhere() throws IOException {
    answer.continueElsewhere();
  }

  @Override
  public boolean isBegun() {
    return answer.isBegun();
  }

  @Override
  public Watch onGone(Runnable action) {
    return answer.onGone(action);
  }
}
