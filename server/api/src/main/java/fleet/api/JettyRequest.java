package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** A request that a client has sent to this fleetd. */
final class JettyRequest implements ApiRequest {

  /** Bytes, and much more than a login takes. */
  private static final int OF_STRANGER = 16 << 10;

  private final Request request;
  private final String server;
  private final String id = AuditedAnswer.newId();
  private final Subject subject;
  private final Predicate<ApiRequest> repeatable;
  private Optional<byte[]> body = Optional.empty();
  private boolean tooLong;

  /**
   * @param server unlike that of any other
   * @param subject who asks
   * @param repeatable whether the API may carry out a request twice
   */
  JettyRequest(Request request, String server, Subject subject, Predicate<ApiRequest> repeatable) {
    this.request = request;
    this.server = server;
    this.subject = subject;
    this.repeatable = repeatable;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String target() {
    return Optional.ofNullable(request.getHttpURI().getPathQuery()).orElse("/");
  }

  @Override
  public List<String> headers(String name) {
    return request.getHeaders().getFields(name).stream().map(HttpField::getValue).toList();
  }

  @Override
  public Optional<byte[]> body(int atMost) throws IOException {
    if (body.isEmpty() && !tooLong) {
      read(subject instanceof Subject.Stranger ? Math.min(atMost, OF_STRANGER) : atMost);
    }
    return body;
  }

  private void read(int atMost) throws IOException {
    tooLong = request.getLength() > atMost;
    if (tooLong) {
      return;
    }
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] bytes = in.readNBytes(atMost + 1);
      tooLong = bytes.length > atMost;
      if (!tooLong) {
        body = Optional.of(bytes);
      }
    }
  }

  /** Never the client's word: two requests of one id could not be told apart. */
  @Override
  public String requestId() {
    return id;
  }

  @Override
  public Caller caller() {
    return Callers.of(request, subject);
  }

  @Override
  public Subject subject() {
    return subject;
  }

  @Override
  public String connection() {
    return server + request.getConnectionMetaData().getId();
  }

  @Override
  public boolean mayBeRepeated() {
    return repeatable.test(this);
  }
}
