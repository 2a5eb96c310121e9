package fleet.core.audit;

import fleet.core.text.EnumText;
import fleet.core.text.SingleLine;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One decision: who asked for what, and the outcome. Texts are unchanged, but at most {@link
 * #LONGEST} long; empty if unset.
 *
 * @param request its id, the same in the answer
 * @param subject who asked, such as {@code user root}
 * @param machine the machine that proved itself and passed the request on; empty if it came to the
 *     one that decided
 * @param action what was asked for, such as {@code unit.put}
 * @param target what it was asked of, such as the name of a unit
 * @param before hash of the unit's text before that
 * @param after hash of the unit's text after that
 * @param reason why it was refused or failed, or what else there is to say
 * @param leftOut how many entries of a flood this one stands for; 0 for none
 */
public record AuditEntry(
    String request,
    String subject,
    String machine,
    String action,
    String target,
    String before,
    String after,
    Result result,
    String reason,
    long leftOut) {

  /** In characters. */
  public static final int LONGEST = 1000;

  /** The {@code SYSLOG_IDENTIFIER} of audit entries in the journal. */
  public static final String IDENTIFIER = "fleet-audit";

  /** The field by which {@code --subject} is looked for. */
  public static final String SUBJECT = "FLEET_SUBJECT";

  /** The field by which {@code --unit} is looked for. */
  public static final String TARGET = "FLEET_TARGET";

  private static final String REQUEST = "FLEET_REQUEST_ID";
  private static final String MACHINE = "FLEET_FROM_MACHINE";
  private static final String ACTION = "FLEET_ACTION";
  private static final String BEFORE = "FLEET_HASH_BEFORE";
  private static final String AFTER = "FLEET_HASH_AFTER";
  private static final String RESULT = "FLEET_RESULT";
  private static final String REASON = "FLEET_REASON";
  private static final String LEFT_OUT = "FLEET_LEFT_OUT";

  private static final int SHORT_HASH = 7;

  /** How a request ended. */
  public enum Result implements EnumText {
    DONE,
    /** It was not allowed, or not right. Nothing was changed. */
    REFUSED,
    /** fleetd could not carry it out, or does not know whether it did. */
    FAILED,
    /** There were more of these than are written down one by one. */
    LEFT_OUT;

    static Optional<Result> ofText(String text) {
      return Stream.of(values()).filter(value -> value.text().equals(text)).findFirst();
    }
  }

  public AuditEntry {
    request = bounded(request);
    subject = bounded(subject);
    machine = bounded(machine);
    action = bounded(action);
    target = bounded(target);
    before = bounded(before);
    after = bounded(after);
    reason = bounded(reason);
  }

  /** An entry without details. */
  public AuditEntry(String request, String subject, String action, String target, Result result) {
    this(request, subject, "", action, target, "", "", result, "", 0);
  }

  /** The same with a reason. */
  public AuditEntry because(String why) {
    return ending(result, why);
  }

  /** The same with another end. */
  public AuditEntry ending(Result with, String why) {
    return new AuditEntry(
        request, subject, machine, action, target, before, after, with, why, leftOut);
  }

  /** Stands for entries of a flood that were left out. */
  public static AuditEntry leftOut(FloodLimit.LeftOut flood) {
    String why =
        "%d more of %d senders within %d s are counted here only"
            .formatted(flood.entries(), flood.sources(), flood.window().toSeconds());
    return new AuditEntry(
        "", "", "", flood.kind(), "", "", "", Result.LEFT_OUT, why, flood.entries());
  }

  private static String bounded(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int end = LONGEST - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }

  /** The fields of the journal that say something, by name. */
  public Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    put(fields, REQUEST, request);
    put(fields, SUBJECT, subject);
    put(fields, MACHINE, machine);
    put(fields, ACTION, action);
    put(fields, TARGET, target);
    put(fields, BEFORE, before);
    put(fields, AFTER, after);
    put(fields, RESULT, result.text());
    put(fields, REASON, reason);
    put(fields, LEFT_OUT, leftOut == 0 ? "" : Long.toString(leftOut));
    return fields;
  }

  /** Reads what {@link #fields} wrote; empty if it is something else. */
  public static Optional<AuditEntry> of(Function<String, Optional<String>> fields) {
    Function<String, String> texts = name -> fields.apply(name).orElse("");
    return fields
        .apply(RESULT)
        .flatMap(Result::ofText)
        .map(result ->
            new AuditEntry(
                texts.apply(REQUEST),
                texts.apply(SUBJECT),
                texts.apply(MACHINE),
                texts.apply(ACTION),
                texts.apply(TARGET),
                texts.apply(BEFORE),
                texts.apply(AFTER),
                result,
                texts.apply(REASON),
                count(texts.apply(LEFT_OUT))));
  }

  private static long count(String text) {
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }

  /** One line for people, whatever is in the texts. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(subject.isEmpty() ? "" : subject + ": ").append(action);
    text.append(target.isEmpty() ? "" : " " + target).append(" ").append(result.text());
    if (!before.isEmpty() || !after.isEmpty()) {
      text.append(", hash ").append(shortened(before)).append(" to ").append(shortened(after));
    }
    text.append(reason.isEmpty() ? "" : ": " + reason);
    return SingleLine.of(text.toString());
  }

  private static String shortened(String hash) {
    return hash.isEmpty() ? "none" : hash.substring(0, Math.min(SHORT_HASH, hash.length()));
  }

  /**
   * A line of JSON, without its end.
   *
   * @param server id of the machine that decided
   */
  public String json(Instant time, String server) {
    Map<String, String> fields = new LinkedHashMap<>();
    put(fields, "time", time.toString());
    put(fields, "server", server);
    put(fields, "request", request);
    put(fields, "subject", subject);
    put(fields, "machine", machine);
    put(fields, "action", action);
    put(fields, "target", target);
    put(fields, "hashBefore", before);
    put(fields, "hashAfter", after);
    put(fields, "result", result.text());
    put(fields, "reason", reason);
    StringBuilder json = new StringBuilder("{");
    fields.forEach((name, value) ->
        json.append(json.length() == 1 ? "" : ",").append(quoted(name) + ":" + quoted(value)));
    return json.append(leftOut == 0 ? "" : ",\"leftOut\":" + leftOut).append('}').toString();
  }

  private static void put(Map<String, String> fields, String name, String value) {
    if (!value.isEmpty()) {
      fields.put(name, value);
    }
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c >= 0x7f) {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
