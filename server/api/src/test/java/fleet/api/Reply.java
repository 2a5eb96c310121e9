package fleet.api;

import java.util.List;
import java.util.Map;

/** An answer as it came. Header names are in lower case. */
record Reply(int status, Map<String, List<String>> headers, String body, String trailers) {

  String header(String name) {
    return String.join(", ", headers.getOrDefault(name, List.of()));
  }

  /** As the reference writes an error: the status and its body's message. */
  String error() {
    String prefix = "{\"error\":{\"code\":" + status + ",\"message\":\"";
    return body.startsWith(prefix)
        ? status + " " + body.substring(prefix.length(), body.length() - 3).replace("\\\"", "\"")
        : "no error of " + status + ": " + body;
  }
}
