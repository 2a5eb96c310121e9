package fleet.cluster.rpc;

import fleet.rpc.v1.Header;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Headers of HTTP as messages. */
final class Headers {

  private Headers() {}

  static List<Header> messages(Map<String, String> headers) {
    return headers.entrySet().stream()
        .map(header -> message(header.getKey(), header.getValue()))
        .toList();
  }

  static Header message(String name, String value) {
    return Header.newBuilder().setName(name).setValue(value).build();
  }

  static Map<String, String> of(List<Header> messages) {
    Map<String, String> headers = new LinkedHashMap<>();
    messages.forEach(header -> headers.put(header.getName(), header.getValue()));
    return headers;
  }
}
