package fleet.api;

import fleet.dashboard.DashboardFile;
import fleet.dashboard.DashboardFiles;
import java.io.IOException;
import org.eclipse.jetty.http.HttpHeader;

/**
 * The pages of the dashboard. They hold nothing of the cluster: what they show, the browser asks
 * the API for. A browser keeps a file, and asks each time whether it is still the same.
 */
final class DashboardResource {

  private static final byte[] NOTHING = {};

  void answer(Exchange exchange) throws IOException {
    DashboardFile file =
        DashboardFiles.find(exchange.path()).orElseThrow(RefusedException::notFound);
    String tag = "\"" + file.tag() + "\"";
    exchange.header(HttpHeader.ETAG.asString(), tag);
    exchange.header(HttpHeader.CACHE_CONTROL.asString(), "no-cache");
    exchange.header(HttpHeader.VARY.asString(), HttpHeader.ACCEPT_ENCODING.asString());
    exchange.header("Content-Security-Policy", policy(file));
    exchange.header("X-Content-Type-Options", "nosniff");
    exchange.header("Referrer-Policy", "no-referrer");
    exchange.header("Cross-Origin-Resource-Policy", "same-origin");
    if (isKnown(exchange, tag)) {
      exchange.reply(304);
    } else {
      send(exchange, file);
    }
  }

  /**
   * Allows nothing but this fleetd's own files, the script that is part of the page, and no page
   * around them.
   */
  private static String policy(DashboardFile file) {
    return "default-src 'none'; script-src 'self'"
        + file.scriptHash().map(hash -> " 'sha256-" + hash + "'").orElse("")
        + "; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none';"
        + " form-action 'none'; frame-ancestors 'none'";
  }

  private static boolean isKnown(Exchange exchange, String tag) {
    return exchange
        .listed(HttpHeader.IF_NONE_MATCH)
        .anyMatch(word -> word.equals("*") || word.equals(tag) || word.equals("W/" + tag));
  }

  private static void send(Exchange exchange, DashboardFile file) throws IOException {
    boolean compressed = exchange.takesGzip();
    if (compressed) {
      exchange.header(HttpHeader.CONTENT_ENCODING.asString(), Exchange.GZIP);
    }
    byte[] body = compressed ? file.compressed() : file.plain();
    exchange.header(HttpHeader.CONTENT_LENGTH.asString(), Integer.toString(body.length));
    exchange.reply(200, file.mediaType(), exchange.method().equals("HEAD") ? NOTHING : body);
  }
}
