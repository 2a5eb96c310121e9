package fleet.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.Caller;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A request as a client sends it, whose name is root. */
record SentRequest(
    String method, String target, String text, Map<String, String> headers, boolean mayBeRepeated)
    implements ApiRequest {

  static SentRequest get(String target) {
    return of("GET", target);
  }

  static SentRequest of(String method, String target) {
    return new SentRequest(method, target, "", Map.of(), true);
  }

  SentRequest with(String body, Map<String, String> heads) {
    return new SentRequest(method, target, body, heads, mayBeRepeated);
  }

  /** The same, but never to be done twice. */
  SentRequest once() {
    return new SentRequest(method, target, text, headers, false);
  }

  @Override
  public List<String> headers(String name) {
    return Optional.ofNullable(headers.get(name)).stream().toList();
  }

  @Override
  public Optional<byte[]> body(int atMost) {
    return Optional.of(text.getBytes(UTF_8)).filter(bytes -> bytes.length <= atMost);
  }

  @Override
  public Caller caller() {
    return new Caller("user root");
  }

  @Override
  public Subject subject() {
    return new Subject.User("root", 0, Set.of("root"));
  }

  @Override
  public String connection() {
    return "c1";
  }
}
