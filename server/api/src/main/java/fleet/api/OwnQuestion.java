package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import java.util.List;
import java.util.Optional;

/**
 * A request that this fleetd makes by itself.
 *
 * @param target its path
 */
record OwnQuestion(String target) implements ApiRequest {

  @Override
  public String method() {
    return "GET";
  }

  @Override
  public List<String> headers(String name) {
    return List.of();
  }

  @Override
  public Optional<byte[]> body(int atMost) {
    return Optional.of(new byte[0]);
  }

  @Override
  public Caller caller() {
    return new Caller("fleetd");
  }

  @Override
  public Subject subject() {
    return new Subject.Fleetd();
  }

  @Override
  public String connection() {
    return "";
  }
}
