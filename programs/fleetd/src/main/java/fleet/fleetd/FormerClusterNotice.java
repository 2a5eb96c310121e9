package fleet.fleetd;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.api.listen.ListenException;
import fleet.api.listen.ServerTlsFiles;
import fleet.fleetd.config.Configuration;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of a fleet 1.0 cluster below the same prefix. Its keys are in etcd's v2 store, which this
 * fleet neither reads nor changes; etcd before 3.6 still serves it with {@code --enable-v2}. Looks
 * once, at a start, and says nothing if it finds nothing out.
 */
final class FormerClusterNotice {

  private static final Logger LOG = LoggerFactory.getLogger(FormerClusterNotice.class);

  private static final int LIMIT_MILLIS = 2_000;
  private static final int MOST_BYTES = 4 << 20;

  private FormerClusterNotice() {}

  /** Looks in the background. */
  static void begin(Configuration.Etcd etcd) {
    Thread.ofVirtual().name("former-cluster").start(() -> of(etcd).ifPresent(LOG::warn));
  }

  /** The notice, from the first server that answers. */
  static Optional<String> of(Configuration.Etcd etcd) {
    String units = etcd.keyPrefix() + "job";
    for (URI server : etcd.servers()) {
      try {
        long count = count(listing(etcd, server.resolve("/v2/keys" + units)), units);
        return count == 0
            ? Optional.empty()
            : Optional.of(
                ("etcd has %d units of a fleet 1.0 cluster below %s, which this fleet does not read:"
                        + " \"fleetctl import\" takes them over once they have ended there")
                    .formatted(count, etcd.keyPrefix()));
      } catch (IOException | ListenException e) {
        LOG.debug("whether a fleet 1.0 cluster is in {} is not known: {}", server, e.toString());
      }
    }
    return Optional.empty();
  }

  private static long count(String listing, String units) {
    return Pattern.compile("\"key\":\"" + Pattern.quote(units + "/") + "[^/\"]+\"")
        .matcher(listing)
        .results()
        .count();
  }

  /** Empty if there are no such keys, or no such store. */
  private static String listing(Configuration.Etcd etcd, URI keys)
      throws IOException, ListenException {
    HttpURLConnection connection = (HttpURLConnection) keys.toURL().openConnection();
    connection.setConnectTimeout(LIMIT_MILLIS);
    connection.setReadTimeout(LIMIT_MILLIS);
    if (connection instanceof HttpsURLConnection secure && tls(etcd).isPresent()) {
      secure.setSSLSocketFactory(tls(etcd).get().load().getSocketFactory());
    }
    etcd.login()
        .ifPresent(login ->
            connection.setRequestProperty(
                "Authorization",
                "Basic "
                    + Base64.getEncoder()
                        .encodeToString((login.user() + ":" + login.password()).getBytes(UTF_8))));
    try {
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
        return "";
      }
      try (InputStream body = connection.getInputStream()) {
        return new String(body.readNBytes(MOST_BYTES), UTF_8);
      }
    } finally {
      connection.disconnect();
    }
  }

  private static Optional<ServerTlsFiles> tls(Configuration.Etcd etcd) {
    return etcd.tls()
        .filter(tls -> tls.authority().isPresent() && tls.client().isPresent())
        .map(tls ->
            new ServerTlsFiles(
                tls.client().get().certificate(), tls.client().get().key(), tls.authority().get()));
  }
}
