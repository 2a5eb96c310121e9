package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.Caller;
import fleet.cluster.request.ApiRequest;
import java.util.List;
import java.util.Optional;

/** A request of one client, whose bodies are all of JSON. */
record PlayedRequest(String method, String target, String text, boolean isRepeated)
    implements ApiRequest {

  static PlayedRequest of(String method, String target) {
    return new PlayedRequest(method, target, "", false);
  }

  static PlayedRequest get(String target) {
    return of("GET", target);
  }

  PlayedRequest with(String body) {
    return new PlayedRequest(method, target, body, isRepeated);
  }

  PlayedRequest repeated() {
    return new PlayedRequest(method, target, text, true);
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
