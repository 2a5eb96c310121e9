package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Cause;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.core.unit.UnitName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class EventLogTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final EventLog log = new EventLog("epoch", 4, Clock.systemUTC());

  @Test
  void aReaderSeesWhatComesAfterItBegan() throws InterruptedException {
    append("before.service");
    EventStream stream = log.follow(EventsFrom.NOW, () -> {});
    append("a.service");
    append("b.service");
    assertThat(names(stream.next(LONG))).containsExactly("a.service", "b.service");
    assertThat(stream.start()).isEqualTo(new EventId("epoch", 1));
  }

  @Test
  void aReaderWaitsForNews() throws Exception {
    EventStream stream = log.follow(EventsFrom.NOW, () -> {});
    var read = new CompletableFuture<List<Event>>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            read.complete(stream.next(LONG));
          } catch (InterruptedException e) {
            read.completeExceptionally(e);
          }
        });
    append("a.service");
    assertThat(names(read.get())).containsExactly("a.service");
  }

  @Test
  void aReaderGoesOnWhereItStopped() throws InterruptedException {
    append("a.service");
    append("b.service");
    EventStream stream = log.follow(new EventsFrom.After(new EventId("epoch", 1)), () -> {});
    assertThat(names(stream.next(LONG))).containsExactly("b.service");
  }

  @Test
  void aReaderThatFellBehindIsToldOfTheGap() throws InterruptedException {
    EventStream stream = log.follow(EventsFrom.NOW, () -> {});
    for (int i = 0; i < 5; i++) {
      append("u" + i + ".service");
    }
    assertThat(stream.next(LONG)).extracting(Event::body).containsExactly(Event.Body.GAP);
    append("later.service");
    assertThat(names(stream.next(LONG))).containsExactly("later.service");
  }

  @Test
  void asManyAreKeptAsItIsMadeForAndNoMore() throws InterruptedException {
    var large = new EventLog("epoch", 100, Clock.systemUTC());
    for (int i = 1; i <= 250; i++) {
      large.append(i, List.of(leads("m" + i)));
      int oldest = Math.max(1, i - 99);
      EventStream stream = large.follow(EventsFrom.BEGINNING, () -> {});
      List<Event> kept = stream.next(LONG);
      assertThat(kept).hasSize(i - oldest + 1);
      assertThat(kept.getFirst().id()).isEqualTo(new EventId("epoch", oldest));
      assertThat(kept.getFirst().revision()).isEqualTo(oldest);
      assertThat(kept.getLast().body()).isEqualTo(leads("m" + i));
    }
  }

  @Test
  void aPositionOfAnotherEpochIsAGap() throws InterruptedException {
    append("a.service");
    EventStream stream = log.follow(new EventsFrom.After(new EventId("older", 1)), () -> {});
    assertThat(stream.next(LONG)).extracting(Event::body).containsExactly(Event.Body.GAP);
  }

  @Test
  void whoComesFromAnotherEpochIsToldWhoLeads() throws InterruptedException {
    Event.Body leads = leads("m1");
    log.append(1, List.of(leads));
    append("a.service");
    EventStream stream = log.follow(new EventsFrom.After(new EventId("older", 1)), () -> {});
    List<Event> told = stream.next(LONG);
    assertThat(told).extracting(Event::body).containsExactly(Event.Body.GAP, leads);
    assertThat(told).extracting(Event::id).containsOnly(new EventId("epoch", 2));
    append("b.service");
    assertThat(names(stream.next(LONG))).containsExactly("b.service");
  }

  @Test
  void aPositionAheadOfTheLogIsAGap() throws InterruptedException {
    EventStream stream = log.follow(new EventsFrom.After(new EventId("epoch", 99)), () -> {});
    assertThat(stream.next(LONG)).extracting(Event::body).containsExactly(Event.Body.GAP);
  }

  @Test
  void whenTheLogClosesReadersEnd() throws InterruptedException {
    EventStream stream = log.follow(EventsFrom.NOW, () -> {});
    append("a.service");
    log.close();
    assertThat(names(stream.next(LONG))).containsExactly("a.service");
    assertThatThrownBy(() -> stream.next(LONG)).isInstanceOf(ClusterUnavailableException.class);
  }

  @Test
  void aReaderGetsAllThatIsKept() throws InterruptedException {
    append("a.service");
    append("b.service");
    EventStream stream = log.follow(EventsFrom.BEGINNING, () -> {});
    assertThat(stream.start()).isEqualTo(new EventId("epoch", 0));
    assertThat(stream.newest()).isEqualTo(new EventId("epoch", 2));
    assertThat(names(stream.next(LONG))).containsExactly("a.service", "b.service");
    for (int i = 0; i < 5; i++) {
      append("u" + i + ".service");
    }
    assertThat(names(log.follow(EventsFrom.BEGINNING, () -> {}).next(LONG)))
        .containsExactly("u1.service", "u2.service", "u3.service", "u4.service");
  }

  @Test
  void aReaderThatAsksForATimeIsToldWhereSomethingIsMissing() throws InterruptedException {
    var time = new SettableClock();
    var timed = new EventLog("epoch", 2, time);
    Instant began = time.instant();
    for (int second = 1; second <= 2; second++) {
      time.now = began.plusSeconds(second);
      timed.append(1, List.of(destroyed("u" + second + ".service")));
    }
    assertThat(names(timed.follow(new EventsFrom.Since(began), () -> {}).next(LONG)))
        .containsExactly("u1.service", "u2.service");
    assertThat(names(timed.follow(new EventsFrom.Since(began.plusSeconds(2)), () -> {}).next(LONG)))
        .containsExactly("u2.service");
    assertThat(
            timed.follow(new EventsFrom.Since(began.plusSeconds(3)), () -> {}).next(Duration.ZERO))
        .isEmpty();
    EventStream before = timed.follow(new EventsFrom.Since(began.minusSeconds(1)), () -> {});
    assertThat(before.next(LONG)).extracting(Event::body).containsExactly(Event.Body.GAP);
    assertThat(names(before.next(LONG))).containsExactly("u1.service", "u2.service");
    timed.append(1, List.of(destroyed("u3.service")));
    EventStream overwritten = timed.follow(new EventsFrom.Since(began), () -> {});
    assertThat(overwritten.next(LONG)).extracting(Event::body).containsExactly(Event.Body.GAP);
    assertThat(names(overwritten.next(LONG))).containsExactly("u2.service", "u3.service");
  }

  /** Events told after a gap did not happen before it, whenever they are asked for. */
  @Test
  void aGapHasTheTimeUntilWhichSomethingMayBeMissing() throws InterruptedException {
    var time = new SettableClock();
    var timed = new EventLog("epoch", 2, time);
    Instant began = time.instant();
    EventStream slow = timed.follow(EventsFrom.NOW, () -> {});
    for (int second = 1; second <= 3; second++) {
      time.now = began.plusSeconds(second);
      timed.append(1, List.of(destroyed("u" + second + ".service")));
    }
    time.now = began.plusSeconds(100);

    assertGap(timed.follow(new EventsFrom.Since(began), () -> {}), began.plusSeconds(2));
    assertGap(slow, began.plusSeconds(3));
    assertGap(
        timed.follow(new EventsFrom.After(new EventId("older", 1)), () -> {}),
        began.plusSeconds(3));
    assertGap(
        new EventLog("other", 2, time).follow(new EventsFrom.Since(began), () -> {}),
        began.plusSeconds(100));
  }

  private static void assertGap(EventStream stream, Instant time) throws InterruptedException {
    Event gap = stream.next(LONG).getFirst();
    assertThat(gap.body()).isEqualTo(Event.Body.GAP);
    assertThat(gap.time()).isEqualTo(time);
  }

  private static final class SettableClock extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  private static Event.Body destroyed(String unit) {
    return new Event.Body(
        Event.Kind.UNIT_DESTROYED, Event.Subject.of(UnitName.of(unit)), Cause.NONE);
  }

  private static Event.Body leads(String machine) {
    return new Event.Body(Event.Kind.LEADER, Event.Subject.of(machine), Cause.of("it was elected"));
  }

  private void append(String unit) {
    log.append(1, List.of(destroyed(unit)));
  }

  private static List<String> names(List<Event> events) {
    List<String> names = new ArrayList<>();
    for (Event event : events) {
      event.body().subject().unit().ifPresent(unit -> names.add(unit.value()));
    }
    return names;
  }
}
