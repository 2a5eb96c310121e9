package fleet.ctl.http;

import java.util.Map;
import java.util.Optional;

/**
 * The head of an answer.
 *
 * @param headers by lower-case name
 */
public record HttpReply(int status, Map<String, String> headers) {

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  public boolean isSuccess() {
    return status >= 200 && status < 300;
  }
}
