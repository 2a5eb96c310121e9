package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.UnitView;
import fleet.core.question.Answer;
import fleet.core.question.JournalFilter;
import fleet.core.question.Question.JournalEntries;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class JournalApiTest extends JournalApiFixture {

  JournalApiTest(ApiUnderTest.Asked asked) {
    super(asked);
  }

  private static final UnitName WEB2 = UnitName.of("web@2.service");

  @Test
  void journalsAreMergedInOrderOfTime() throws Exception {
    answers("m1", entry(1, "web@1.service", "a") + entry(4, "web@1.service", "d")).end();
    answers("m2", entry(2, "web@2.service", "b") + entry(3, "web@2.service", "c")).end();

    Reply reply = api.get(JOURNAL + "?unit=web@*&lines=5");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).isEqualTo("application/x-ndjson");
    assertThat(reply.body())
        .isEqualTo(
            merged(1, "m1", "web@1.service", "a")
                + merged(2, "m2", "web@2.service", "b")
                + merged(3, "m2", "web@2.service", "c")
                + merged(4, "m1", "web@1.service", "d"));
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 0\n");
    assertThat(asked)
        .containsExactlyInAnyOrder(
            new JournalEntries(List.of(WEB1), 5, Optional.empty(), "", false, false),
            new JournalEntries(List.of(WEB2), 5, Optional.empty(), "", false, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "priority=err..crit|10|err..crit||",
        "priority=3&lines=7|7|3||",
        "grep=a|all||a|",
        "boot=1|all|||",
        "until=2026-01-01T00:00:00Z&lines=5|5|||2026-01-01T00:00:00Z",
      })
  void machinesAreAskedForWhatIsSelected(
      String query, String lines, String priority, String grep, String until) throws Exception {
    answers("m1", entry(1, "web@1.service", "a")).end();

    Reply reply = api.get(JOURNAL + "?unit=web@1.service&" + query);

    assertThat(reply.body()).isEqualTo(merged(1, "m1", "web@1.service", "a"));
    assertThat(asked.take().lines())
        .isEqualTo(lines.equals("all") ? JournalEntries.ALL : Integer.parseInt(lines));
    assertThat(filters.take())
        .isEqualTo(
            new JournalFilter(
                Objects.requireNonNullElse(priority, ""),
                Objects.requireNonNullElse(grep, ""),
                Optional.ofNullable(until).map(Instant::parse),
                query.startsWith("boot")));
  }

  @Test
  void aMachineIsAskedOnceForAllItsUnits() throws Exception {
    api.cluster.add(placed("db.service", Optional.of("m1")));
    UnitView everywhere = placed("log.service", Optional.empty());
    api.cluster.add(
        new UnitView(
            everywhere.unit(),
            Optional.empty(),
            Optional.empty(),
            true,
            "",
            false,
            "",
            Optional.empty(),
            ""));
    api.cluster.add(FakeUnits.state("log.service", "m1"));
    api.cluster.add(FakeUnits.state("log.service", "m3"));
    answers(
            "m1",
            "{\"__REALTIME_TIMESTAMP\":\"7\",\"UNIT\":\"db.service\",\"_SYSTEMD_UNIT\":\"init.scope\"}\n")
        .end();

    Reply reply =
        api.get(
            JOURNAL
                + "?unit=db.service&unit=log.service&unit=web@1.service&unit=w*&machine=m1"
                + "&since=2026-01-01T00:00:00.5Z&whole=1");

    assertThat(reply.body())
        .isEqualTo(
            "{\"FLEET_MACHINE\":\"m1\",\"FLEET_UNIT\":\"db.service\",\"__REALTIME_TIMESTAMP\":\"7\",\"UNIT\":\"db.service\",\"_SYSTEMD_UNIT\":\"init.scope\"}\n");
    assertThat(asked)
        .hasSize(1)
        .first()
        .satisfies(question -> {
          assertThat(question.units())
              .containsExactlyInAnyOrder(
                  UnitName.of("db.service"), UnitName.of("log.service"), WEB1);
          assertThat(question.lines()).isEqualTo(JournalEntries.ALL);
          assertThat(question.since()).contains(Instant.parse("2026-01-01T00:00:00.5Z"));
          assertThat(question.whole()).isTrue();
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?unit=gone.service|404 unit gone.service does not exist",
        "?unit=web@1.service&unit=gone*|404 no unit matches gone*",
        "?unit=waiting.service|409 waiting.service is on no machine",
        "?unit=web@*&machine=m9|409 no machine m9 has any of these units",
        "?unit=web|400 invalid unit \"web\": unit name must contain",
        "?unit=web[|400 invalid unit \"web[\": malformed pattern",
        "?lines=3|400 no unit was named: unit=\\u003cname or pattern\\u003e",
        "?unit=web@*&lines=many|400 invalid lines \"many\": expected a number",
        "?unit=web@*&since=tomorrow|400 invalid since \"tomorrow\"",
        "?unit=web@*&priority=loud|400 invalid priority \"loud\": expected emerg, alert,",
        "?unit=web@*&grep=a%0Ab|400 invalid grep: expected a regular expression of one line",
        "?unit=web@*&grep=a&lines=10001|400 invalid lines \"10001\": expected all, or 10000",
        "?unit=web@*&until=2026-01-01T00:00:00Z&follow=1|400 invalid until \"2026-01-01",
        "?unit=web@*&until=then|400 invalid until \"then\"",
        "?unit=web@*&until=%2B10000-01-01T00:00:00Z|400 invalid until \"+10000-01-01",
        "?unit=web@*&since=0000-01-01T00:00:00Z|400 invalid since \"0000-01-01",
        "?unit=web@*&follow=banana|400 invalid follow \"banana\": expected 1 or 0",
        "?unit=web@*&whole=yes|400 invalid whole \"yes\": expected 1 or 0",
        "?unit=web@*&after=m1:--x%20y|400 invalid after \"m1:--x y\"",
      })
  void whatCannotBeAskedIsRefused(String query, String expected) throws IOException {
    api.cluster.add(placed("waiting.service", Optional.empty()));
    assertThat(api.get(JOURNAL + query.replace("[", "%5B")).error()).startsWith(expected);
  }

  @Test
  void aBrokenAnswerIsToldOnceAndGoneOnWithWhereItEnded() throws Exception {
    FakeAnswer first = answers("m1", entry(5, "web@1.service", "old") + "\n");
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=web@1.service&follow=1", "");
      wire.head();
      assertThat(lines(wire, 1)).hasSize(1);
      first.end();
      assertThat(lines(wire, 1))
          .containsExactly(
              "{\"FLEET_MACHINE\":\"m1\",\"FLEET_NOTICE\":\"its answer ended;"
                  + " its journal continues here when it answers again\"}");
      // Asked in vain, more than once, without another word.
      assertThat(asked.take()).isNotNull();
      for (int i = 0; i < 2; i++) {
        assertThat(asked.take())
            .isEqualTo(
                new JournalEntries(
                    List.of(WEB1), JournalEntries.ALL, Optional.empty(), "c=5", true, false));
      }
      answers("m1", "\n" + entry(6, "web@1.service", "new"));
      assertThat(lines(wire, 1)).containsExactly(merged(6, "m1", "web@1.service", "new").strip());
    }
  }

  @Test
  void unitsThatHaveNoMachineAreToldEachAndMakeTheAnswerIncomplete() throws Exception {
    api.cluster.add(waiting("web@3.service", DesiredState.LAUNCHED, Optional.empty()));
    api.cluster.add(waiting("web@4.service", DesiredState.LOADED, Optional.empty()));
    api.cluster.add(waiting("web@5.service", DesiredState.INACTIVE, Optional.empty()));
    api.cluster.add(waiting("named.service", DesiredState.INACTIVE, Optional.empty()));
    answers("m1", entry(1, "web@1.service", "a")).end();
    answers("m2", "").end();

    Reply reply = api.get(JOURNAL + "?unit=web@*&unit=named.service");

    assertThat(reply.body().lines())
        .containsExactly(
            "{\"FLEET_NOTICE\":\"named.service is on no machine: no room\"}",
            "{\"FLEET_NOTICE\":\"web@3.service is on no machine: no room\"}",
            "{\"FLEET_NOTICE\":\"web@4.service is on no machine: no room\"}",
            merged(1, "m1", "web@1.service", "a").strip());
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 1\n");
  }

  @Test
  void whoAsksOneMachineIsNotToldOfUnitsThatAreNowhere() throws Exception {
    api.cluster.add(waiting("web@3.service", DesiredState.LAUNCHED, Optional.empty()));
    answers("m1", entry(1, "web@1.service", "a")).end();

    Reply reply = api.get(JOURNAL + "?unit=web@*&machine=m1");

    assertThat(reply.body()).isEqualTo(merged(1, "m1", "web@1.service", "a"));
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 0\n");
  }

  @Test
  void aMachineThatKeepsUnitsThoughItIsNotThereIsToldOnce() throws Exception {
    api.cluster.add(waiting("web@3.service", DesiredState.LAUNCHED, Optional.of("m3")));
    api.cluster.add(waiting("web@4.service", DesiredState.LAUNCHED, Optional.of("m3")));
    answers("m1", entry(1, "web@1.service", "a")).end();
    answers("m2", "").end();

    Reply reply = api.get(JOURNAL + "?unit=web@*");

    assertThat(reply.body().lines())
        .containsExactlyInAnyOrder(
            merged(1, "m1", "web@1.service", "a").strip(),
            "{\"FLEET_MACHINE\":\"m3\",\"FLEET_NOTICE\":\"it is not there, or cannot be reached;"
                + " its journal is incomplete here\"}");
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 1\n");
  }

  @Test
  void aMachineThatCannotTellAllIsToldAndMakesTheAnswerIncomplete() throws Exception {
    answers("m1", entry(1, "web@1.service", "a")).end();

    Reply reply = api.get(JOURNAL + "?unit=web@*");

    assertThat(reply.body().lines())
        .containsExactlyInAnyOrder(
            merged(1, "m1", "web@1.service", "a").strip(),
            "{\"FLEET_MACHINE\":\"m2\",\"FLEET_NOTICE\":\"it is not there, or cannot be reached;"
                + " its journal is incomplete here\"}");
    assertThat(reply.trailers()).isEqualToIgnoringCase("Fleet-Exit-Status: 1\n");
  }

  @Test
  void aNameMayHoldABackslash() throws Exception {
    api.cluster.add(placed("a\\x2db.service", Optional.of("m1")));
    answers("m1", entry(1, "a\\\\x2db.service", "a")).end();

    assertThat(api.get(JOURNAL + "?unit=a%5Cx2db.service").body())
        .startsWith("{\"FLEET_MACHINE\":\"m1\",\"FLEET_UNIT\":\"a\\\\x2db.service\",");
  }

  @Test
  void aClientSaysWhereItWasLeftByAForm() throws Exception {
    answers("m1", "").end();
    answers("m2", "").end();

    Reply reply =
        api.request(
            "POST", JOURNAL, "unit=web%40*&lines=7&after=m1:s%3D1%3Bi%3D2", "Content-Type: x");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(asked)
        .containsExactlyInAnyOrder(
            new JournalEntries(
                List.of(WEB1), JournalEntries.ALL, Optional.empty(), "s=1;i=2", false, false),
            new JournalEntries(List.of(WEB2), 7, Optional.empty(), "", false, false));
  }

  @Test
  void aReaderThatDoesNotReadHoldsTheMachinesUpAndCostsLittle() throws Exception {
    var one = new EndlessAnswer("web@1.service");
    var other = new EndlessAnswer("web@2.service");
    of("m1").add(one);
    of("m2").add(other);
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=web@*&follow=1", "");
      wire.head();
      long taken = one.awaitRest();
      // The buffers of sockets and pipes in the kernel are counted in.
      assertThat(taken + other.awaitRest()).isLessThan(4 << 20);
      for (long read = 0; read < 16 << 20; ) {
        read += wire.chunk().length;
      }
      assertThat(one.taken.get()).isGreaterThan(taken);
    }
    assertThat(one.closed.take()).isTrue();
    assertThat(other.closed.take()).isTrue();
  }

  @Test
  void anEndlessLineCostsLittleAndIsToldOf() throws Exception {
    FakeAnswer answer = new FakeAnswer(0);
    of("m1").add(answer);
    Thread saying =
        Thread.ofVirtual()
            .start(() -> {
              answer.say("{\"MESSAGE\":\"");
              for (int i = 0; i < 1024; i++) {
                answer.say("x".repeat(1024));
              }
              answer.say("\"}\n" + entry(3, "web@1.service", "short"));
              answer.end();
            });
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=web@1.service", "");
      wire.head();
      assertThat(lines(wire, 2))
          .containsExactlyInAnyOrder(
              "{\"FLEET_MACHINE\":\"m1\","
                  + "\"FLEET_NOTICE\":\"an entry of more than 512 KiB is left out\"}",
              merged(3, "m1", "web@1.service", "short").strip());
    }
    saying.join();
  }

  /** A machine that always has another entry; counts what was taken of them. */
  private static final class EndlessAnswer implements Answer {

    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final String unit;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong lastTaken = new AtomicLong(System.nanoTime());
    private final BlockingQueue<Boolean> closed = new LinkedBlockingQueue<>();
    private volatile boolean ended;
    private long micros;

    EndlessAnswer(String unit) {
      this.unit = unit;
    }

    /** Waits until nobody takes any more, and gives how much was taken. */
    long awaitRest() throws InterruptedException {
      while (System.nanoTime() - lastTaken.get() < REST_NANOS) {
        TimeUnit.NANOSECONDS.sleep(REST_NANOS / 10);
      }
      return taken.get();
    }

    @Override
    public InputStream body() {
      return new InputStream() {
        private byte[] line = {'\n'};
        private int position;

        @Override
        public int read() {
          throw new UnsupportedOperationException("one at a time is slow");
        }

        @Override
        public int read(byte[] target, int offset, int length) {
          if (ended) {
            return -1;
          }
          if (position == line.length) {
            line = entry(++micros, unit, "y".repeat(1000)).getBytes(UTF_8);
            position = 0;
          }
          int count = Math.min(length, line.length - position);
          System.arraycopy(line, position, target, offset, count);
          position += count;
          taken.addAndGet(count);
          lastTaken.set(System.nanoTime());
          return count;
        }
      };
    }

    @Override
    public int exitStatus() {
      return 0;
    }

    @Override
    public void close() {
      ended = true;
      closed.add(true);
    }
  }
}
