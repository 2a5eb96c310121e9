package fleet.fleetd;

import java.security.Security;

/**
 * Limits how long this process caches addresses of names. Java caches them for 30 s, and failures
 * for 10 s: a machine would look for a server that has moved at its old address for too long. The
 * system's resolver has a cache that respects the TTL of the zone.
 */
final class DnsCache {

  private static final String SECONDS = "1";
  private static final String POSITIVE = "networkaddress.cache.ttl";
  private static final String NEGATIVE = "networkaddress.cache.negative.ttl";

  private DnsCache() {}

  /** Before the first name is looked up: later it has no effect. */
  static void shorten() {
    Security.setProperty(POSITIVE, SECONDS);
    Security.setProperty(NEGATIVE, SECONDS);
    // gRPC reads the same name elsewhere.
    System.setProperty(POSITIVE, SECONDS);
  }
}
