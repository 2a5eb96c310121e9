package fleet.fleetctl.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.Await;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.output.Output;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Journals that fleetd has merged. */
final class JournalCommandTest extends ServedCommandTest {

  private static final String M1 = "113f16a7b2c34d5e8f90a1b2c3d4e5f6";
  private static final String M2 = "2222aaaab2c34d5e8f90a1b2c3d4e5f6";

  private final BlockingQueue<FakeHttpServer.Handler> answers = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private final CountDownLatch named = new CountDownLatch(1);

  /** Whether the machine is not registered any more. */
  private volatile boolean gone;

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    if (request.path().equals("/fleet/v1/machines")) {
      String one = "{\"id\":\"" + M1 + "\",\"primaryIP\":\"10.0.0.3\"}";
      String listed = "{\"machines\":[" + (gone ? "" : one) + "]}";
      // Not before: who waits for it has the machine go.
      named.countDown();
      return FakeHttpServer.reply(out, 200, listed);
    }
    if (request.path().equals("/fleet/v1/rescheduling")) {
      return FakeHttpServer.reply(out, 200, "{}");
    }
    asked.add(
        request.method()
            + " "
            + URLDecoder.decode(
                request.target() + (request.body().isEmpty() ? "" : " " + request.body()), UTF_8));
    FakeHttpServer.Handler next = answers.poll();
    return next == null
        ? FakeHttpServer.reply(out, 400, "{\"error\":{\"code\":400,\"message\":\"enough\"}}")
        : next.handle(request, out);
  }

  private static String entry(String machine, String unit, long micros, String message) {
    return """
    {"FLEET_MACHINE":"%s","FLEET_UNIT":"%s","__CURSOR":"c%d","__REALTIME_TIMESTAMP":"%d",\
    "SYSLOG_IDENTIFIER":"sh","_PID":"7","_HOSTNAME":"host","PRIORITY":"3","MESSAGE":%s}
    """
        .formatted(machine, unit, micros, micros, message);
  }

  private void answer(String exitStatus, String... lines) {
    answers.add((request, out) -> {
      FakeHttpServer.beginChunks(out, "Trailer: Fleet-Exit-Status");
      for (String line : lines) {
        FakeHttpServer.chunk(out, line);
      }
      out.write(("0\r\nFleet-Exit-Status: " + exitStatus + "\r\n\r\n").getBytes(UTF_8));
      return false;
    });
  }

  private void breakOffAfter(String... lines) {
    answers.add((request, out) -> {
      FakeHttpServer.beginChunks(out);
      for (String line : lines) {
        FakeHttpServer.chunk(out, line);
      }
      return false;
    });
  }

  @Test
  void entriesComeWithMachineAndUnit() {
    answer(
        "0",
        entry(M1, "web@1.service", 1_000_000, "\"one\""),
        "\n",
        entry(M2, "db.service", 2_000_000, "\"two\\nlines\""),
        entry(M2, "db.service", 3_000_000, "[27,91,51,49,109,114,101,100,27,91,48,109,7]"));

    Ran ran = terminal().run("journal", "--output=short-iso", "web@*", "db.service");

    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out().lines())
        .map(line -> line.replaceFirst("^1970-01-0.T..:..:0(.)[+-]....", "$1"))
        .containsExactly(
            "1 host web@1.service sh[7]: one",
            "2 host/2222aaaa db.service sh[7]: two",
            " ".repeat("1970-01-01T00:00:02+0000 host/2222aaaa db.service sh[7]: ".length())
                + "lines",
            "3 host/2222aaaa db.service sh[7]: red");
    assertThat(asked).containsExactly("GET /fleet/v1/journal?unit=web@*&unit=db.service");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "journal -n 5 a* b.service|unit=a*&unit=b.service&lines=5",
        "journal --lines=all a* a*|unit=a*&lines=all",
        "journal -u b.service -p err..crit|unit=b.service&priority=err..crit",
        "journal -g timed.?out -n 3 b.service|unit=b.service&lines=3&grep=timed.?out",
        "journal --until=2026-03-01T14:00:00Z b*|unit=b*&until=2026-03-01T14:00:00Z",
        "journal -b -u b.service a*|unit=a*&unit=b.service&boot=1",
        "journal --since=2026-03-01T14:00:00Z b.service|unit=b.service&since=2026-03-01T14:00:00Z",
        "journal --machine=10.0.0.3 --output=json a*|unit=a*&whole=1&machine=" + M1,
      })
  void theQuestionIsWhatTheFlagsSay(String line, String query) {
    answer("0");
    assertThat(terminal().run(line.split(" ", -1)).code()).isZero();
    assertThat(asked).containsExactly("GET /fleet/v1/journal?" + query);
  }

  @Test
  void jsonComesAsFleetdHasIt() {
    String line = entry(M1, "web@1.service", 1, "\"one\"");
    answer("0", line);
    assertThat(terminal().run("journal", "--output=json", "web@*").out()).isEqualTo(line);
  }

  @Test
  void whatIsIncompleteIsToldAndFails() {
    answer(
        "1",
        entry(M1, "web@1.service", 1, "\"one\""),
        "{\"FLEET_MACHINE\":\"" + M2 + "\",\"FLEET_NOTICE\":\"its journal is incomplete here\"}\n");

    assertThat(terminal().run("journal", "--output=cat", "web@*"))
        .isEqualTo(new Ran(1, "one\n", "machine " + M2 + ": its journal is incomplete here\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"short", "json"})
  void noticesNameMachinesAsListingsDo(String output) {
    answer(
        "1",
        "{\"FLEET_MACHINE\":\"" + M1 + "\",\"FLEET_NOTICE\":\"has web@1.service now\"}\n",
        "{\"FLEET_NOTICE\":\"log.service is on no machine: machine " + M1 + " refuses it\"}\n",
        entry(M1, "web@1.service", 1, "\"one\""),
        "{\"FLEET_MACHINE\":\"" + M1 + "\",\"FLEET_NOTICE\":\"its answer ended\"}\n");

    assertThat(run("journal", "--output=" + output, "web@*", "log.service").err())
        .isEqualTo(
            """
            machine 113f16a7.../10.0.0.3: has web@1.service now
            fleet: log.service is on no machine: machine 113f16a7.../10.0.0.3 refuses it
            machine 113f16a7.../10.0.0.3: its answer ended
            """);
  }

  @Test
  void soTheyDoOfAMachineThatIsLostMeanwhile() {
    answers.add((request, out) -> {
      FakeHttpServer.beginChunks(out);
      awaitNames();
      gone = true;
      FakeHttpServer.chunk(
          out, "{\"FLEET_MACHINE\":\"" + M1 + "\",\"FLEET_NOTICE\":\"it is not there\"}\n");
      out.write("0\r\n\r\n".getBytes(UTF_8));
      return false;
    });

    assertThat(run("journal", "web@*").err())
        .isEqualTo("machine 113f16a7.../10.0.0.3: it is not there\n");
  }

  private void awaitNames() {
    try {
      named.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aJournalThatBreaksOffIsGoneOnWithWhereItEnded() {
    breakOffAfter(
        entry(M1, "web@1.service", 5, "\"a\""),
        entry(M2, "web@2.service", 6, "\"b\""),
        entry(M1, "web@1.service", 7, "\"c\""));
    answers.add((request, out) -> FakeHttpServer.reply(out, 503, ""));
    breakOffAfter(entry(M2, "web@2.service", 8, "\"d\""));

    Ran ran = terminal().run("journal", "-f", "--output=cat", "web@*");

    assertThat(ran.out()).isEqualTo("a\nb\nc\nd\n");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err().lines())
        .hasSize(3)
        .first()
        .asString()
        .startsWith("fleetd at " + directory)
        .endsWith("the journal continues when it answers again");
    assertThat(ran.err()).endsWith("enough (HTTP 400)\n");
    assertThat(asked.poll()).isEqualTo("GET /fleet/v1/journal?unit=web@*&follow=1");
    String again = asked.poll();
    assertThat(again)
        .startsWith("GET /fleet/v1/journal?unit=web@*&lines=all&since=2")
        .contains("&after=" + M1 + ":c7")
        .contains("&after=" + M2 + ":c6");
    assertThat(asked.poll()).isEqualTo(again);
    assertThat(asked.poll()).contains("&after=" + M2 + ":c8");
  }

  private static String at(long position, String unit, String message) {
    return entry(M1, unit, position, "\"" + message + "\"")
        .replace("\"c" + position + "\"", "\"s=a;i=%x;t=1\"".formatted(position));
  }

  /** A newly placed unit's old entries come after newer entries of others. */
  @Test
  void aJournalGoesOnBehindTheLineFurthestOnAndNotBehindTheOneToldLast() throws Exception {
    breakOffAfter(
        at(11, "web@1.service", "a"),
        at(26, "web@1.service", "b"),
        at(9, "web@2.service", "of before"));
    answer("0");

    Ran ran = run("journal", "--output=cat", "web@*");

    assertThat(ran.out()).isEqualTo("a\nb\nof before\n");
    assertThat(asked.poll()).startsWith("GET ");
    assertThat(asked.poll()).endsWith("&after=" + M1 + ":s=a;i=1a;t=1");
  }

  @Test
  void manyMachinesAreNamedInAForm() {
    List<String> entries =
        java.util.stream.IntStream.range(0, 200)
            .mapToObj(i -> entry("machine" + i, "web@1.service", i + 1, "\"\""))
            .toList();
    breakOffAfter(entries.toArray(String[]::new));
    answer("0");

    assertThat(terminal().run("journal", "--output=cat", "web@*").code()).isZero();
    assertThat(asked.poll()).startsWith("GET ");
    assertThat(asked.poll())
        .startsWith("POST /fleet/v1/journal unit=web@*&lines=all")
        .contains("&after=machine0:c1", "&after=machine199:c200");
  }

  @Test
  void whatFleetdRefusesIsSaid() {
    answers.add((request, out) ->
        FakeHttpServer.reply(
            out, 404, "{\"error\":{\"code\":404,\"message\":\"no unit matches web@*\"}}"));
    assertThat(terminal().run("journal", "web@*"))
        .isEqualTo(new Ran(1, "", "Error: no unit matches web@* (HTTP 404)\n"));
    answers.add((request, out) -> FakeHttpServer.reply(out, 404, ""));
    assertThat(terminal().run("journal", "web@*").err()).contains("too old");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "journal|One unit file must be provided.",
        "journal -p loud a.service|invalid priority \"loud\": expected emerg, alert, crit, err, warning",
        "journal -p err..loud a*|invalid priority \"err..loud\"",
        "journal --since=yesteryear a*|invalid --since=\"yesteryear\"",
        "journal --lines=-3 a*|invalid --lines=\"-3\"",
        "journal --output=verbose a*|invalid --output=\"verbose\"",
      })
  void whatMakesNoSenseIsRefused(String line, String message) {
    Ran ran = terminal().run(line.split(" ", -1));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(message);
    assertThat(asked).isEmpty();
  }

  @Test
  void aTerminalThatTakesNothingHoldsFleetdUp() throws Exception {
    AtomicLong sent = new AtomicLong();
    BlockingQueue<Long> blocked = new LinkedBlockingQueue<>();
    answers.add((request, out) -> {
      FakeHttpServer.beginChunks(out);
      String line = entry(M1, "web@1.service", 1, "\"" + "x".repeat(1000) + "\"");
      try {
        while (true) {
          FakeHttpServer.chunk(out, line);
          sent.addAndGet(line.length());
        }
      } catch (IOException gone) {
        blocked.add(sent.get());
        return false;
      }
    });
    StuckStream stuck = new StuckStream();
    CommandEnvironment session =
        new CommandEnvironment(
            new Output(stuck, new ByteArrayOutputStream(), false, false),
            Optional.empty(),
            InputStream.nullInputStream(),
            Map.of("FLEETCTL_ENDPOINT", "unix://" + directory.resolve("fleet.sock")),
            directory,
            directory.resolve("machine-id"));
    Thread reading =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              int _ = new Fleetctl(session).run(List.of("journal", "-f", "web@*"));
            });
    Await.until(() -> stuck.reached.getCount() == 0 || !reading.isAlive());
    assertThat(reading.isAlive()).isTrue();
    long before = -1;
    while (before != sent.get()) {
      before = sent.get();
      TimeUnit.MILLISECONDS.sleep(300);
    }
    // The buffers of the sockets are counted in.
    assertThat(before).isLessThan(4 << 20);
    close();
    assertThat(blocked.take()).isNotNull();
    stuck.release.countDown();
    reading.interrupt();
  }

  /** A terminal that was stopped by Ctrl-S. */
  private static final class StuckStream extends OutputStream {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @Override
    public void write(int b) throws IOException {
      reached.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }
  }
}
