package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.entities.Entity;
import fleet.entities.EntityJson;
import fleet.entities.ErrorBodyEntity;
import fleet.entities.ErrorEntity;
import fleet.entities.InvalidJsonException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;

/** One request and its answer. Everything here blocks; for one thread. */
final class Exchange {

  static final String JSON = "application/json";

  /** Asks to be told what is known, though it may be old: the answer says so in a header. */
  private static final String STALE = "stale";

  private static final String STALE_SINCE = "Fleet-Stale-Since";

  /** What the largest unit file takes as JSON, with room for escapes. */
  static final int MAX_BODY = 2 << 20;

  private static final int BUFFER = 16 << 10;

  private final Request request;
  private final Response response;
  private final EntityJson json;
  private Optional<Fields> form = Optional.empty();

  Exchange(Request request, Response response, EntityJson json) {
    this.request = request;
    this.response = response;
    this.json = json;
  }

  Request request() {
    return request;
  }

  Response response() {
    return response;
  }

  /** The cluster as this request wants to be told of it. */
  Cluster reading(Cluster cluster) {
    return flag(STALE) ? cluster.evenIfStale(this::staleSince) : cluster;
  }

  private void staleSince(Instant since) {
    response.getHeaders().put(STALE_SINCE, since.toString());
  }

  Caller caller() {
    return Callers.of(request);
  }

  /** Refuses all methods but some, in the words of the caller. */
  void allow(String message, String... methods) {
    if (!List.of(methods).contains(request.getMethod())) {
      response.getHeaders().put(HttpHeader.ALLOW, String.join(", ", methods));
      throw new RefusedException(405, message);
    }
  }

  List<String> parameters(String name) {
    Fields fields;
    try {
      fields = Request.extractQueryParameters(request, UTF_8);
    } catch (RuntimeException e) {
      throw RefusedException.badRequest("malformed query: " + e.getMessage());
    }
    return Stream.of(Optional.of(fields), form)
        .flatMap(Optional::stream)
        .flatMap(source -> source.getValuesOrEmpty(name).stream())
        .toList();
  }

  /** From here on parameters also come from the body, which is a form where there is one. */
  Exchange withForm() throws IOException {
    if (!request.getMethod().equals("GET")) {
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

  /** What is asked for, but for one parameter. */
  String queryWithout(String name) {
    String query = request.getHttpURI().getQuery();
    return query == null
        ? ""
        : Arrays.stream(query.split("&"))
            .filter(part -> !part.startsWith(name + "="))
            .collect(Collectors.joining("&"));
  }

  /** The first value of a parameter; empty where it is not there, or has none. */
  Optional<String> parameter(String name) {
    return parameters(name).stream().findFirst().filter(value -> !value.isEmpty());
  }

  /** Whether a parameter is given as {@code 1} or {@code true}. */
  boolean flag(String name) {
    return flag(name, false);
  }

  /**
   * The same, with what holds where the parameter is not given.
   *
   * @throws RefusedException where it is given as something else than yes or no
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

  List<String> headers(String name) {
    return request.getHeaders().getFields(name).stream().map(HttpField::getValue).toList();
  }

  <T extends Entity> T body(Class<T> type) throws IOException {
    try {
      return json.read(type, body());
    } catch (InvalidJsonException e) {
      throw RefusedException.badRequest("unable to decode body: " + e.getMessage());
    }
  }

  private byte[] body() throws IOException {
    if (request.getLength() > MAX_BODY) {
      throw tooLarge();
    }
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] bytes = in.readNBytes(MAX_BODY + 1);
      if (bytes.length > MAX_BODY) {
        throw tooLarge();
      }
      return bytes;
    }
  }

  private static RefusedException tooLarge() {
    return new RefusedException(
        413, "request body is too large: at most " + MAX_BODY + " bytes are accepted");
  }

  /** Answers with a status alone. */
  void reply(int status) throws IOException {
    response.setStatus(status);
    Content.Sink.write(response, true, ByteBuffer.allocate(0));
  }

  void reply(int status, String contentType, byte[] body) throws IOException {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    Content.Sink.write(response, true, ByteBuffer.wrap(body));
  }

  void reply(Entity entity) throws IOException {
    reply(200, entity);
  }

  void reply(int status, Entity entity) throws IOException {
    reply(status, JSON, json.write(entity));
  }

  /** Answers with a large entity, sent while it is being written. */
  void stream(Entity entity) throws IOException {
    response.setStatus(200);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, JSON);
    try (OutputStream out =
        new BufferedOutputStream(Content.Sink.asOutputStream(response), BUFFER)) {
      json.write(entity, out);
    }
  }

  void refuse(int status, String message) throws IOException {
    reply(status, JSON, json.write(new ErrorEntity(new ErrorBodyEntity(status, message))));
  }
}
