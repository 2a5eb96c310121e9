package fleet.api;

import java.util.List;

/** Reads the page that a request asks for. */
final class PageParameters {
  static final String PARAMETER = "nextPageToken";

  /** The largest page, in entities; a larger request gets this many, and a token. */
  private static final int LARGEST = 5000;

  private PageParameters() {}

  /**
   * The first page if none is asked for, or with an empty token.
   *
   * @param usual entities of a page if the request does not say how many
   */
  static PageToken of(Exchange exchange, int usual) {
    int limit = Math.min(WholeNumber.parameter(exchange, "limit", usual), Math.max(usual, LARGEST));
    List<String> values = exchange.parameters(PARAMETER);
    if (values.size() > 1) {
      throw RefusedException.badRequest("too many values for page token");
    }
    return values.isEmpty() || values.getFirst().isEmpty()
        ? PageToken.first(limit)
        : PageToken.parse(values.getFirst(), limit);
  }
}
