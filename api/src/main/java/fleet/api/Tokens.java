package fleet.api;

import java.util.List;

/** Reads the page that a request asks for. */
final class Tokens {
  static final String PARAMETER = "nextPageToken";

  private Tokens() {}

  /** The first page where none is asked for, or with an empty token. */
  static PageToken of(Exchange exchange, int limit) {
    List<String> values = exchange.parameters(PARAMETER);
    if (values.size() > 1) {
      throw RefusedException.badRequest("too many values for page token");
    }
    return values.isEmpty() || values.getFirst().isEmpty()
        ? PageToken.first(limit)
        : PageToken.parse(values.getFirst(), limit);
  }
}
