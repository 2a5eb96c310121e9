package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.audit.Floods;
import java.net.URLDecoder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A request as the audit log names it. All but a few are commands, so that no new route is
 * forgotten.
 *
 * @param name such as {@code unit.put}
 * @param target such as the name of a unit; empty where the path names none
 * @param kind whether it is written down
 */
record AuditedAction(String name, String target, Kind kind) {

  /** The part of a request that is worth an entry. */
  enum Kind {
    /** It changes something: however it ends. */
    COMMAND,
    /** It tells the text of units, which may hold secrets: where it does, or may not. */
    TEXT,
    /** It tells something else: where it may not. */
    OTHER
  }

  private static final Map<String, String> SINGULAR =
      Map.of("units", "unit", "machines", "machine", "rollouts", "rollout", "tokens", "token");

  private static final Map<String, String> VERBS =
      Map.of("PUT", "put", "DELETE", "delete", "POST", "create", "PATCH", "change", "GET", "read");

  private static final Map<String, String> RENAMED =
      Map.ofEntries(
          Map.entry("unit.delete", "unit.destroy"),
          Map.entry("token.delete", "token.revoke"),
          Map.entry("machine.delete", "machine.remove"),
          Map.entry("config.put", "config.set"),
          Map.entry("ca.create", "ca.rotate"),
          Map.entry("etcd-certificates.create", "etcd.certify"),
          Map.entry("access.put", "access.grant"),
          Map.entry("access.delete", "access.revoke"),
          Map.entry("access.create", "access.check"),
          Map.entry("login.create", Floods.LOGIN),
          Map.entry("certificate.create", Floods.RENEW),
          Map.entry("rollout.put", "rollout.start"),
          Map.entry("rebalance.create", "rebalance.start"),
          Map.entry("rebalance.delete", "rebalance.stop"),
          Map.entry("rescheduling.create", "rescheduling.resume"));

  /** A form in place of a long query. */
  private static final Set<String> READ_BY_POST = Set.of("plan.create", "journal.create");

  private static final Pattern WITHOUT_TEXT = Pattern.compile("(.*[?&])?options=(0|false)(&.*)?");

  private static final String ALL = "*";

  /**
   * Names what a request asks for.
   *
   * @param target its path and query, as they were sent
   */
  static AuditedAction of(String method, String target) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    List<String> segments = List.of(path.replaceFirst("^/(fleet/v1|v1-alpha)/", "").split("/", -1));
    String collection = segments.getFirst();
    String what = SINGULAR.getOrDefault(collection, collection);
    String verb =
        segments.size() > 2 && !method.equals("GET")
            ? segments.get(2)
            : VERBS.getOrDefault(method, method);
    String name = what + "." + verb;
    String of = segments.size() > 1 ? decoded(segments.get(1)) : "";
    if (tellsText(method, collection, segments.size(), target)) {
      return new AuditedAction(name, of.isEmpty() ? ALL : of, Kind.TEXT);
    }
    boolean reads = method.equals("GET") || READ_BY_POST.contains(name);
    return new AuditedAction(
        RENAMED.getOrDefault(name, name), of, reads ? Kind.OTHER : Kind.COMMAND);
  }

  private static boolean tellsText(String method, String collection, int segments, String target) {
    return method.equals("GET")
        && ((collection.equals("units") && segments < 3)
            || (collection.equals("events") && !WITHOUT_TEXT.matcher(target).matches()));
  }

  private static String decoded(String segment) {
    try {
      return URLDecoder.decode(segment.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      return segment;
    }
  }
}
