package fleet.fleetctl.command;

import static java.time.temporal.ChronoUnit.SECONDS;

import fleet.core.question.ExecFrame;
import fleet.entities.EntityJson;
import fleet.entities.ErrorBodyEntity;
import fleet.entities.ErrorEntity;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An answer of fleetd in a golden file: {@code PUT /units/db.service 403 the reason}. A star stands
 * for every method or path; parameters of a path must be among those of the request. The text of an
 * error is its message. {@code 200/3} is a success with the exit status 3 of systemctl. In texts,
 * {@code @200@} is the time 200 seconds ago.
 */
record ScriptedAnswer(String method, String path, int status, String exitStatus, String text) {

  private static final Pattern AGO = Pattern.compile("@(\\d+)@");
  private static final int FIRST_ERROR = 400;

  static ScriptedAnswer of(String line) {
    String[] parts = line.split(" ", 4);
    String[] status = parts[2].split("/", -1);
    return new ScriptedAnswer(
        parts[0],
        parts[1],
        Integer.parseInt(status[0]),
        status.length > 1 ? status[1] : "0",
        parts.length > 3 ? dated(parts[3]) : "");
  }

  private static String dated(String text) {
    return AGO.matcher(text)
        .replaceAll(ago -> before(Long.parseLong(ago.group(1))))
        .replace("\\n", "\n");
  }

  /** Such a time is known by its fraction. */
  private static String before(long seconds) {
    return Instant.now().minusSeconds(seconds).truncatedTo(SECONDS).plusNanos(1).toString();
  }

  boolean fits(Request request) {
    String[] wanted = path.split("\\?", 2);
    String asked = decoded(request.path().substring("/fleet/v1".length()));
    return (method.equals("*") || method.equals(request.method()))
        && (path.equals("*") || wanted[0].equals(asked))
        && (wanted.length < 2 || Set.of(decoded(request.query()).split("&")).contains(wanted[1]));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  boolean reply(OutputStream out) throws IOException {
    if (status < FIRST_ERROR && path.endsWith("/exec")) {
      return FakeHttpServer.reply(
          out, status, written(), "Fleet-Exec-Session: s1", "Fleet-Exit-Status: " + exitStatus);
    }
    String body =
        status < FIRST_ERROR
            ? text
            : new String(
                new EntityJson().write(new ErrorEntity(ErrorBodyEntity.of(status, text))),
                StandardCharsets.UTF_8);
    return FakeHttpServer.reply(out, status, body, "Fleet-Exit-Status: " + exitStatus);
  }

  /** The text as what a command wrote. */
  private String written() {
    ExecFrame frame = new ExecFrame(ExecFrame.Kind.OUTPUT, text.getBytes(StandardCharsets.UTF_8));
    return new String(frame.bytes(), StandardCharsets.UTF_8);
  }
}
