package fleet.api;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The description of the API for client generators. */
final class DiscoveryResource {

  private static final String DOCUMENT = "discovery.json";

  void handle(Exchange exchange) throws IOException {
    if (!exchange.method().equals("GET")) {
      throw RefusedException.badRequest("only HTTP GET supported against this resource");
    }
    try (InputStream document =
        Objects.requireNonNull(
            DiscoveryResource.class.getResourceAsStream(DOCUMENT), "no " + DOCUMENT)) {
      exchange.reply(200, Exchange.JSON, document.readAllBytes());
    }
  }
}
