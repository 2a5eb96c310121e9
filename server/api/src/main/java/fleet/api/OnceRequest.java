package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A request that must not be carried out twice. */
record OnceRequest(ApiRequest request) implements ApiRequest {

  @Override
  public boolean mayBeRepeated() {
    return false;
  }

  @Override
  public String method() {
    return request.method();
  }

  @Override
  public String target() {
    return request.target();
  }

  @Override
  public List<String> headers(String name) {
    return request.headers(name);
  }

  @Override
  public Optional<byte[]> body(int atMost) throws IOException {
    return request.body(atMost);
  }

  @Override
  public Caller caller() {
    return request.caller();
  }

  @Override
  public String requestId() {
    return request.requestId();
  }

  @Override
  public String passedOnBy() {
    return request.passedOnBy();
  }

  @Override
  public Subject subject() {
    return request.subject();
  }

  @Override
  public String connection() {
    return request.connection();
  }

  @Override
  public boolean isRepeated() {
    return request.isRepeated();
  }

  @Override
  public boolean isContinued() {
    return request.isContinued();
  }

  @Override
  public boolean mustBeCertain() {
    return request.mustBeCertain();
  }
}
