package fleet.api;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The descriptions of the API for client generators: fleet 1.0's, and one of all there is. */
final class DiscoveryResource {

  /** The media type of RFC 9512. */
  static final String YAML = "application/yaml";

  private static final String DISCOVERY = "discovery.json";
  static final String OPEN_API = "openapi.yaml";

  void read(Exchange exchange) throws IOException {
    exchange.reply(200, Exchange.JSON, document(DISCOVERY));
  }

  /** Refuses a method that is not GET, in the words of fleet 1.0. */
  static RefusedException otherMethod() {
    return RefusedException.badRequest("only HTTP GET supported against this resource");
  }

  void openApi(Exchange exchange) throws IOException {
    exchange.reply(200, YAML, document(OPEN_API));
  }

  private static byte[] document(String name) throws IOException {
    try (InputStream document =
        Objects.requireNonNull(DiscoveryResource.class.getResourceAsStream(name), "no " + name)) {
      return document.readAllBytes();
    }
  }
}
