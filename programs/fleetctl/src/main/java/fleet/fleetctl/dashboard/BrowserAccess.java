package fleet.fleetctl.dashboard;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Decides which requests come from the browser of the person who runs fleetctl. Other users and
 * programs of this machine can open the port as well, and so can pages of other sites in the same
 * browser. The link with the key is good once, for one browser, which gets a cookie. Safe for use
 * by many threads.
 */
final class BrowserAccess {

  private static final int KEY_BYTES = 32;
  private static final String PARAMETER = "key=";

  /** Requests of the dashboard's own pages, and those that a person makes in the address bar. */
  private static final Set<String> OWN_PAGES = Set.of("none", "same-origin");

  private final String authority;
  private final String key = secret();
  private final String secret = secret();
  private final String cookieName;
  private final AtomicBoolean used = new AtomicBoolean();

  BrowserAccess(int port) {
    authority = "127.0.0.1:" + port;
    // Browsers send a cookie to all ports of an address, where another dashboard may be.
    cookieName = "fleet-dashboard-" + port;
  }

  private static String secret() {
    byte[] bytes = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The link for the person. */
  String link() {
    return "http://" + authority + "/?" + PARAMETER + key;
  }

  /** The cookie for the browser that came by the link. */
  String cookie() {
    return cookieName + "=" + secret + "; Path=/; HttpOnly; SameSite=Strict";
  }

  /** Whether a request comes by a link, be the link good or not. */
  static boolean isByLink(URI target) {
    return "/".equals(target.getRawPath())
        && Optional.ofNullable(target.getRawQuery())
            .filter(q -> q.startsWith(PARAMETER))
            .isPresent();
  }

  /** Whether the link is the right one, and nobody came by it before; this uses it up. */
  boolean admit(URI target) {
    String given = target.getRawQuery().substring(PARAMETER.length());
    return isSame(given, key) && used.compareAndSet(false, true);
  }

  /** Whether the request was sent to this address, and not by a page of another site. */
  boolean isMeantForUs(Map<String, List<String>> headers) {
    return values(headers, "Host").equals(List.of(authority))
        && values(headers, "Origin").stream().allMatch(("http://" + authority)::equals);
  }

  /** Whether the request comes from the browser that used the link. */
  boolean isKnown(Map<String, List<String>> headers) {
    return OWN_PAGES.containsAll(values(headers, "Sec-Fetch-Site"))
        && values(headers, "Cookie").stream()
            .flatMap(line -> Stream.of(line.split(";")))
            .anyMatch(cookie -> isSame(cookie.strip(), cookieName + "=" + secret));
  }

  private static List<String> values(Map<String, List<String>> headers, String name) {
    return headers.getOrDefault(name, List.of());
  }

  /** Takes as long for any wrong text. */
  private static boolean isSame(String given, String expected) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
  }
}
