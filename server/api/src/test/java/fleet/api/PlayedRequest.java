package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.Caller;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A request of one client, whose bodies are all of JSON. */
record PlayedRequest(String method, String target, String text, boolean isRepeated, Subject subject)
    implements ApiRequest {

  private static final Subject ROOT = new Subject.User("root", 0, Set.of("root"));

  static PlayedRequest of(String method, String target) {
    return new PlayedRequest(method, target, "", false, ROOT);
  }

  static PlayedRequest get(String target) {
    return of("GET", target);
  }

  PlayedRequest with(String body) {
    return new PlayedRequest(method, target, body, isRepeated, subject);
  }

  PlayedRequest repeated() {
    return new PlayedRequest(method, target, text, true, subject);
  }

  PlayedRequest by(Subject asker) {
    return new PlayedRequest(method, target, text, isRepeated, asker);
  }

  @Override
  public List<String> headers(String name) {
    return name.equalsIgnoreCase("Content-Type") ? List.of(Exchange.JSON) : List.of();
  }

  @Override
  public Optional<byte[]> body(int atMost) {
    return Optional.of(text.getBytes(UTF_8)).filter(body -> body.length <= atMost);
  }

  @Override
  public Caller caller() {
    return new Caller("user a");
  }

  @Override
  public String connection() {
    return "c1";
  }
}
