package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiRequest;
import fleet.entities.Entity;
import fleet.entities.EntityJson;
import fleet.entities.ErrorBodyEntity;
import fleet.entities.ErrorEntity;
import fleet.entities.InvalidJsonException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;
import org.jspecify.annotations.Nullable;

/** One request and its answer. Everything here blocks; for one thread. */
final class Exchange {

  static final String JSON = "application/json";

  static final String LINES_OF_JSON = "application/x-ndjson";

  static final String GZIP = "gzip";

  /** Allows a stale answer, which a header marks. */
  private static final String STALE = "stale";

  private static final String STALE_SINCE = "Fleet-Stale-Since";

  /** The largest unit file as JSON, with room for escapes. */
  static final int MAX_BODY = 2 << 20;

  private static final int BUFFER = 16 << 10;

  private final ApiRequest request;
  private final AuditedAnswer answer;
  private final EntityJson json;
  private final Optional<Backend.Own> own;
  private final Optional<Access> access;
  private final Map<String, String> headers;
  private Optional<Fields> form = Optional.empty();

  /** An exchange without a cluster. */
  Exchange(ApiRequest request, AuditedAnswer answer, EntityJson json) {
    this(request, answer, json, Optional.empty(), Optional.empty(), new TreeMap<>());
  }

  private Exchange(
      ApiRequest request,
      AuditedAnswer answer,
      EntityJson json,
      Optional<Backend.Own> own,
      Optional<Access> access,
      Map<String, String> headers) {
    this.request = request;
    this.answer = answer;
    this.json = json;
    this.own = own;
    this.access = access;
    this.headers = headers;
  }

  /** The same, to be answered from the cluster, as far as its subject may see it. */
  Exchange with(Backend.Own answeredWith, Access allowed) {
    return new Exchange(
        request, answer, json, Optional.of(answeredWith), Optional.of(allowed), headers);
  }

  ApiRequest request() {
    return request;
  }

  AuditedAnswer answer() {
    return answer;
  }

  String method() {
    return request.method();
  }

  Backend.Own own() {
    return own.orElseThrow();
  }

  Cluster cluster() {
    return own().cluster();
  }

  Access access() {
    return access.orElseThrow();
  }

  /** The cluster with the read consistency of this request. */
  Cluster reading() {
    return flag(STALE) && !request.mustBeCertain()
        ? cluster().evenIfStale(this::staleSince)
        : cluster();
  }

  private void staleSince(Instant since) {
    header(STALE_SINCE, since.toString());
  }

  Caller caller() {
    return request.caller();
  }

  /** Whether an earlier attempt may have done this already. */
  boolean isRepeated() {
    return request.isRepeated();
  }

  /** Puts a header before the answer. */
  void header(String name, String value) {
    headers.put(name, value);
  }

  /** Refuses the method of the request, as its path has others. */
  void refuseMethod(Collection<String> methods) {
    String words = String.join(", ", methods).replaceFirst(", ([A-Z]+)$", " and $1");
    refuseMethod("only " + words + " supported against this resource", String.join(", ", methods));
  }

  /** The same in the words of the caller. */
  void refuseMethod(String message, String methods) {
    header(HttpHeader.ALLOW.asString(), methods);
    throw new RefusedException(405, message);
  }

  List<String> parameters(String name) {
    return Stream.of(Optional.of(asked()), form)
        .flatMap(Optional::stream)
        .flatMap(source -> source.getValuesOrEmpty(name).stream())
        .toList();
  }

  List<String> headers(String name) {
    return request.headers(name);
  }

  private Fields asked() {
    Fields fields = new Fields(true);
    try {
      UrlEncoded.decodeTo(query(), fields::add, UTF_8);
    } catch (RuntimeException e) {
      throw RefusedException.badRequest("malformed query: " + e.getMessage());
    }
    return fields;
  }

  private String query() {
    String target = request.target();
    int mark = target.indexOf('?');
    return mark < 0 ? "" : target.substring(mark + 1);
  }

  /** As it was sent. */
  String path() {
    return path(request);
  }

  static String path(ApiRequest request) {
    String target = request.target();
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  /** From here on parameters also come from the body, if there is one, as a form. */
  Exchange withForm() throws IOException {
    if (!method().equals("GET")) {
      Fields fields = new Fields(true);
      try {
        UrlEncoded.decodeUtf8To(new String(body(), UTF_8), fields);
      } catch (IllegalArgumentException e) {
        throw RefusedException.badRequest("malformed form: " + e.getMessage());
      }
      form = Optional.of(fields);
    }
    return this;
  }

  /** The query without one parameter. */
  String queryWithout(String name) {
    return Arrays.stream(query().split("&"))
        .filter(part -> !part.startsWith(name + "="))
        .collect(Collectors.joining("&"));
  }

  /** The first value of a parameter; empty if it is not there, or has none. */
  Optional<String> parameter(String name) {
    return parameters(name).stream().findFirst().filter(value -> !value.isEmpty());
  }

  /**
   * The value of a parameter that is a number of at least 1.
   *
   * @param otherwise if it is not given
   */
  int wholeNumber(String name, int otherwise) {
    String text = parameter(name).orElse(Integer.toString(otherwise));
    return wholeNumberOf(text, 1)
        .orElseThrow(() ->
            RefusedException.badRequest(
                name + " must be a whole number of at least 1, not " + text));
  }

  /** Empty if the text is not a number, or it is below the minimum. */
  static OptionalInt wholeNumberOf(String text, int least) {
    try {
      int number = Integer.parseInt(text);
      return number < least ? OptionalInt.empty() : OptionalInt.of(number);
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  /** Whether a parameter is given as {@code 1} or {@code true}. */
  boolean flag(String name) {
    return flag(name, false);
  }

  /**
   * The same, with a default.
   *
   * @throws RefusedException if it is neither yes nor no
   */
  boolean flag(String name, boolean usual) {
    return parameter(name).map(value -> isYes(name, value)).orElse(usual);
  }

  private static boolean isYes(String name, String value) {
    return switch (value) {
      case "1", "true" -> true;
      case "0", "false" -> false;
      default ->
          throw RefusedException.badRequest(
              "invalid " + name + " \"" + value + "\": expected 1 or 0");
    };
  }

  /** The body of a request that says that it is JSON. */
  <T extends Entity> T json(Class<T> type) throws IOException {
    expectJson();
    return body(type);
  }

  void expectJson() {
    List<String> types = headers(HttpHeader.CONTENT_TYPE.asString());
    if (types.size() != 1) {
      throw new RefusedException(415, "expected 1 Content-Type, got " + types.size());
    }
    if (!types.getFirst().split(";", 2)[0].trim().equals(JSON)) {
      throw new RefusedException(415, "only acceptable Content-Type is application/json");
    }
  }

  <T extends Entity> T body(Class<T> type) throws IOException {
    try {
      return json.read(type, body());
    } catch (InvalidJsonException e) {
      throw RefusedException.badRequest("unable to decode body: " + e.getMessage());
    }
  }

  /**
   * All of the body.
   *
   * @throws RefusedException if it is too long
   */
  byte[] body() throws IOException {
    return request
        .body(MAX_BODY)
        .orElseThrow(() ->
            new RefusedException(
                413, "request body is too large: at most " + MAX_BODY + " bytes are accepted"));
  }

  /** Answers that something was changed, now or by an earlier attempt; or that it was so before. */
  void replyChanged(boolean changed) throws IOException {
    reply(changed || isRepeated() ? 204 : 200);
  }

  /** Answers with a status alone. */
  void reply(int status) throws IOException {
    answer.whole(head(status, false), new byte[0]);
  }

  void reply(int status, String contentType, byte[] body) throws IOException {
    header(HttpHeader.CONTENT_TYPE.asString(), contentType);
    answer.whole(head(status, false), body);
  }

  void reply(Entity entity) throws IOException {
    reply(200, entity);
  }

  void reply(int status, Entity entity) throws IOException {
    reply(status, JSON, json.write(entity));
  }

  /** Writes the body of an answer. */
  @FunctionalInterface
  interface Body {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes the lines of an answer. */
  @FunctionalInterface
  interface Lines {
    void writeTo(LineWriter out) throws IOException;
  }

  /** Takes one line after the other. */
  @FunctionalInterface
  interface LineWriter {
    void write(Entity line) throws IOException;
  }

  /** Answers with many entities, each on a line of its own. */
  void streamLines(Lines lines) throws IOException {
    stream(
        LINES_OF_JSON,
        out ->
            lines.writeTo(line -> {
              json.write(line, out);
              out.write('\n');
            }));
  }

  /** Answers with a large entity, sent while it is being written. */
  void stream(Entity entity) throws IOException {
    stream(JSON, out -> json.write(entity, out));
  }

  /** Answers with a large body, sent while it is being written; compressed for browsers. */
  void stream(String contentType, Body body) throws IOException {
    header(HttpHeader.CONTENT_TYPE.asString(), contentType);
    header(HttpHeader.VARY.asString(), HttpHeader.ACCEPT_ENCODING.asString());
    boolean compressed = takesGzip();
    if (compressed) {
      header(HttpHeader.CONTENT_ENCODING.asString(), GZIP);
    }
    answer.begin(head(200, false));
    OutputStream out = new BufferedOutputStream(new AnswerBody(answer), BUFFER);
    if (compressed) {
      // Closing frees the memory of the compressor, which the heap knows nothing of.
      try (GZIPOutputStream packed = new QuickGzip(out)) {
        body.writeTo(packed);
      }
    } else {
      body.writeTo(out);
    }
    out.flush();
    answer.end(Map.of());
  }

  /** Continues an answer that has begun. */
  private static final class AnswerBody extends OutputStream {

    private final ApiAnswer answer;

    AnswerBody(ApiAnswer answer) {
      this.answer = answer;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      byte[] part = offset == 0 ? bytes : Arrays.copyOfRange(bytes, offset, offset + length);
      answer.write(part, length);
    }
  }

  /** Takes half of the time of the usual level, for a somewhat longer answer. */
  private static final class QuickGzip extends GZIPOutputStream {
    QuickGzip(OutputStream out) throws IOException {
      super(out, BUFFER);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /** Whether the client takes a body that is compressed with gzip, as browsers do. */
  boolean takesGzip() {
    return listed(HttpHeader.ACCEPT_ENCODING).anyMatch(GZIP::equals);
  }

  /** The elements of a header that is a list. */
  Stream<String> listed(HttpHeader header) {
    return headers(header.asString()).stream()
        .flatMap(line -> Stream.of(line.split(",", -1)))
        .map(String::strip);
  }

  void refuse(int status, String message) throws IOException {
    refuse(status, message, null);
  }

  /**
   * @param type for programs; null if the status says enough
   */
  void refuse(int status, String message, @Nullable String type) throws IOException {
    answer.because(message);
    reply(status, JSON, json.write(new ErrorEntity(new ErrorBodyEntity(status, message, type))));
  }

  /** The head of the answer, with the headers that were put there. */
  ApiAnswer.Head head(int status, boolean isEndless) {
    return new ApiAnswer.Head(status, headers, isEndless);
  }
}
