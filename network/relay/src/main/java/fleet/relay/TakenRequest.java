package fleet.relay;

import fleet.cluster.Caller;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.Header;
import fleet.rpc.v1.PassedRequest;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A relayed request.
 *
 * @param by the relaying machine, if it had to authenticate
 */
record TakenRequest(PassedRequest passed, Optional<RpcPeer> by) implements ApiRequest {

  private static final Pattern REQUEST_ID = Pattern.compile("[0-9a-f-]{1,64}");

  @Override
  public String method() {
    return passed.getMethod();
  }

  @Override
  public String target() {
    return passed.getTarget();
  }

  @Override
  public List<String> headers(String name) {
    return passed.getHeadersList().stream()
        .filter(header -> header.getName().equalsIgnoreCase(name))
        .map(Header::getValue)
        .toList();
  }

  @Override
  public Optional<byte[]> body(int atMost) {
    return Optional.of(passed.getBody())
        .filter(body -> body.size() <= atMost)
        .map(body -> body.toByteArray());
  }

  /** The person as the machine names them, and which machine that is. */
  @Override
  public Caller caller() {
    String name = passed.getCaller();
    return new Caller(by.map(peer -> name + " on " + peer.machine()).orElse(name));
  }

  /** Replaced if no fleetd makes such an id, as it is shown to people as it is. */
  @Override
  public String requestId() {
    String id = passed.getRequestId();
    return REQUEST_ID.matcher(id).matches() ? id : "";
  }

  @Override
  public String passedOnBy() {
    return by.map(RpcPeer::machine).orElse("");
  }

  /** Servers are trusted about their callers. Another machine asks as itself, whatever it names. */
  @Override
  public Subject subject() {
    return by.filter(peer -> !peer.server())
        .<Subject>map(peer -> new Subject.Joined(peer.machine(), passed.getCaller()))
        .orElseGet(() -> SubjectMessages.subject(passed));
  }

  @Override
  public String connection() {
    return by.map(RpcPeer::machine).orElse("") + "/" + passed.getConnection();
  }

  @Override
  public boolean isRepeated() {
    return passed.getRepeated();
  }

  @Override
  public boolean isContinued() {
    return passed.getContinued();
  }

  @Override
  public boolean mustBeCertain() {
    return passed.getMustBeCertain();
  }
}
