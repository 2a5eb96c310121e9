package fleet.fleetctl.client;

import fleet.entities.Entity;
import fleet.entities.EntityJson;
import fleet.entities.ErrorBodyEntity;
import fleet.entities.ErrorEntity;
import fleet.entities.InvalidJsonException;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpClient;
import fleet.fleetctl.http.HttpRequest;
import fleet.fleetctl.output.LocalTimes;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requests to one fleetd, and the meaning of its answers. Safe for use by many threads; every call
 * throws {@link FleetException} if fleetd cannot be reached or refuses.
 */
final class ApiCalls {

  static final String PREFIX = "/fleet/v1";

  /** Entities of a page: each page is a round trip to the leader. An old fleetd gives 100. */
  private static final int PAGE = 1000;

  /** The limit for the text of a refusal. */
  private static final int REFUSAL = 64 * 1024;

  /** In lower case; a time as of RFC 3339, if the answer may be old. */
  private static final String STALE_SINCE = "fleet-stale-since";

  /** The header Server of fleet 1.0, and of those before it. */
  private static final Pattern FORMER = Pattern.compile("fleetd/v?[01]\\..*");

  private final HttpClient http;
  private final Consumer<String> debug;
  private final Consumer<String> notices;
  private final Retries retries;

  /** Whether stale answers are accepted. */
  private final boolean evenIfStale;

  private final AtomicBoolean warned = new AtomicBoolean();

  /** Whether a fleetd of fleet 1.0, or before, has answered. */
  private volatile boolean former;

  private final EntityJson json = new EntityJson();

  ApiCalls(HttpClient http, Consumer<String> debug, Consumer<String> notices) {
    this.http = http;
    this.debug = debug;
    this.notices = notices;
    this.retries = new Retries(why -> notices.accept("fleetd at " + endpoint() + ": " + why));
    this.evenIfStale = false;
  }

  private ApiCalls(ApiCalls other) {
    this.http = other.http;
    this.debug = other.debug;
    this.notices = other.notices;
    this.retries = other.retries;
    this.evenIfStale = true;
  }

  ApiCalls evenIfStale() {
    return new ApiCalls(this);
  }

  String endpoint() {
    return http.endpoint().text();
  }

  // ---- requests

  HttpRequest json(String method, String path, Entity body) {
    return HttpRequest.json(method, path, json.write(body));
  }

  HttpAnswer call(HttpRequest request) throws FleetException {
    if (!evenIfStale || !request.method().equals("GET")) {
      return attempt(request).answer();
    }
    String path = request.path();
    HttpAnswer answer =
        attempt(HttpRequest.get(path + (path.contains("?") ? "&" : "?") + "stale=1")).answer();
    answer.header(STALE_SINCE).ifPresent(this::warn);
    return answer;
  }

  /**
   * The same, of a resource that an older fleetd does not have.
   *
   * @param lacking what such a fleetd does: "cannot drain machines"
   */
  HttpAnswer call(HttpRequest request, String lacking) throws FleetException {
    return orUpgrade(call(request), lacking);
  }

  private HttpAnswer orUpgrade(HttpAnswer answer, String lacking) throws ApiException {
    if (isUnknownResource(answer)) {
      throw ApiException.outdated(outdated(lacking));
    }
    return answer;
  }

  /**
   * In words that fleetd lacks something, and the remedy.
   *
   * @param lacking "is too old to freeze units"
   */
  String outdated(String lacking) {
    return "fleetd at %s %s: %s"
        .formatted(
            endpoint(),
            lacking,
            former
                ? "it is of fleet 1.0; set up fleet 2, and take the units over with fleetctl import"
                : "upgrade it");
  }

  /** A command that is carried out, or changes nothing. */
  HttpAnswer order(HttpRequest request, String lacking) throws FleetException {
    HttpAnswer answer = call(request, lacking);
    expectSuccess(answer);
    return answer;
  }

  /** Deletes something; false if there is no such thing. */
  boolean delete(String path) throws FleetException {
    return isDeleted(attempt(HttpRequest.of("DELETE", path)));
  }

  /** The same, of a resource that an older fleetd does not have. */
  boolean delete(String path, String lacking) throws FleetException {
    Retries.Outcome outcome = attempt(HttpRequest.of("DELETE", path));
    HttpAnswer _ = orUpgrade(outcome.answer(), lacking);
    return isDeleted(outcome);
  }

  private boolean isDeleted(Retries.Outcome outcome) throws ApiException {
    HttpAnswer answer = outcome.answer();
    if (answer.status() == 404) {
      // An earlier attempt may have deleted it then.
      return outcome.repeated();
    }
    expectSuccess(answer);
    return true;
  }

  /** Reads all pages of a list. */
  <P extends Entity> void pages(
      Class<P> type, String path, String filter, Function<P, String> next, Consumer<P> each)
      throws FleetException {
    String token = "";
    do {
      P page = read(type, page(path, filter, token));
      each.accept(page);
      token = next.apply(page);
    } while (!token.isEmpty());
  }

  private HttpAnswer page(String path, String filter, String token) throws FleetException {
    String query =
        Stream.of(
                filter,
                "limit=" + PAGE,
                token.isEmpty() ? "" : "nextPageToken=" + HttpRequest.escape(token))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("&"));
    return call(HttpRequest.get(path + "?" + query));
  }

  private void warn(String since) {
    if (warned.compareAndSet(false, true)) {
      notices.accept(
          "WARNING: the servers of fleet that can be asked have not reached etcd since "
              + LocalTimes.brief(since)
              + ": the output below is from that time");
    }
  }

  private Retries.Outcome attempt(HttpRequest request) throws FleetException {
    try {
      Retries.Outcome outcome =
          retries.call(request, () -> http.call(request), this::message, starting());
      note(request, outcome.answer());
      return outcome;
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private Retries.Starting starting() {
    return evenIfStale ? Retries.Starting.BRIEFLY : Retries.Starting.AS_LONG_AS_IT_TAKES;
  }

  private void note(HttpRequest request, HttpAnswer answer) {
    if (answer.header("server").filter(it -> FORMER.matcher(it).matches()).isPresent()) {
      former = true;
    }
    String id = answer.header("x-request-id").map(name -> ", request " + name).orElse("");
    debug.accept(request.method() + " " + request.path() + " -> " + answer.status() + id);
  }

  // ---- streams

  /** For callers that retry themselves; empty if the daemon is of fleet 1.0. */
  Optional<HttpAnswer> stream(HttpRequest request) throws FleetException {
    return stream(request, () -> http.open(request));
  }

  Optional<HttpAnswer> retriedStream(HttpRequest request) throws FleetException {
    return stream(
        request,
        () -> retries.call(request, () -> http.open(request), this::refusal, starting()).answer());
  }

  private Optional<HttpAnswer> stream(HttpRequest request, Retries.Attempt opening)
      throws FleetException {
    try {
      HttpAnswer stream = opening.make();
      note(request, stream);
      if (stream.isSuccess()) {
        return Optional.of(stream);
      }
      try (stream) {
        if (isUnknownResource(stream.readBody(REFUSAL))) {
          return Optional.empty();
        }
        throw error(stream);
      }
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  /**
   * A stream of a resource that an older fleetd does not have.
   *
   * @param lacking what such a fleetd does: "is too old to freeze units"
   */
  HttpAnswer retriedStream(HttpRequest request, String lacking) throws FleetException {
    return retriedStream(request).orElseThrow(() -> ApiException.outdated(outdated(lacking)));
  }

  /**
   * Passes on a request of somebody else once, as it is. {@link #giveBack} ends the answer, which
   * may be a refusal.
   */
  HttpAnswer relay(HttpRequest request) throws IOException {
    HttpAnswer answer = http.relay(request);
    note(request, answer);
    return answer;
  }

  void giveBack(HttpAnswer answer) throws IOException {
    http.giveBack(answer);
  }

  private String refusal(HttpAnswer refused) throws IOException {
    try (refused) {
      return message(refused.readBody(REFUSAL));
    }
  }

  // ---- answers

  <T extends Entity> T read(Class<T> type, HttpAnswer answer) throws FleetException {
    expectSuccess(answer);
    try {
      return json.read(type, answer.body());
    } catch (InvalidJsonException e) {
      throw new UnreachableException(
          "what answers at " + endpoint() + " is not fleetd: " + e.getMessage(), e);
    }
  }

  /** The entity of an answer; empty for 404. */
  <T extends Entity> Optional<T> find(Class<T> type, HttpAnswer answer) throws FleetException {
    return answer.status() == 404 ? Optional.empty() : Optional.of(read(type, answer));
  }

  private UnreachableException unreachable(IOException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return new UnreachableException(
        message.contains(endpoint()) ? message : "fleetd at " + endpoint() + ": " + message, e);
  }

  void expectSuccess(HttpAnswer answer) throws ApiException {
    if (!answer.isSuccess()) {
      throw error(answer);
    }
  }

  private ApiException error(HttpAnswer answer) {
    return Retries.isRefusal(answer)
        ? ApiException.cannotStart(message(answer))
        : new ApiException(
            answer.status(), message(answer), Objects.requireNonNullElse(body(answer).type(), ""));
  }

  private String message(HttpAnswer answer) {
    return body(answer).message();
  }

  private ErrorBodyEntity body(HttpAnswer answer) {
    try {
      return Objects.requireNonNull(json.read(ErrorEntity.class, answer.body()).error());
    } catch (InvalidJsonException | NullPointerException notOurs) {
      return ErrorBodyEntity.of(answer.status(), "");
    }
  }

  /** A daemon that knows the resource but not the unit sends a message; fleet 1.0 sends none. */
  boolean isUnknownResource(HttpAnswer answer) {
    return answer.status() == 405 || (answer.status() == 404 && message(answer).isEmpty());
  }
}
