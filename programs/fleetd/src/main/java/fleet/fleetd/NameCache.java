package fleet.fleetd;

import java.security.Security;

/**
 * How long this process remembers what a name stands for. Java would for 30 s, and for 10 s that it
 * stands for nothing: a machine that looks for a server that has moved would go on looking where
 * the server was, for longer than it is waited for. The resolver of the system has a cache that
 * heeds what the name's own zone says.
 */
final class NameCache {

  private static final String SECONDS = "1";
  private static final String POSITIVE = "networkaddress.cache.ttl";
  private static final String NEGATIVE = "networkaddress.cache.negative.ttl";

  private NameCache() {}

  /** Before the first name is looked up: later it has no effect. */
  static void shorten() {
    Security.setProperty(POSITIVE, SECONDS);
    Security.setProperty(NEGATIVE, SECONDS);
    // gRPC reads the same name elsewhere.
    System.setProperty(POSITIVE, SECONDS);
  }
}
