package fleet.engine.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import fleet.core.unit.UnitName;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventLogTest {

  private static final Duration LONG = Duration.ofSeconds(20);

  private final EventLog log = new EventLog("epoch", 4, Clock.systemUTC());

  @Test
  void aReaderSeesWhatComesAfterItBegan() throws InterruptedException {
    append("before.service");
    EventStream stream = log.follow(Optional.empty());
    append("a.service");
    append("b.service");
    assertThat(names(stream.next(LONG))).containsExactly("a.service", "b.service");
    assertThat(stream.start()).isEqualTo(new EventId("epoch", 1));
  }

  @Test
  void aReaderWaitsForNews() throws Exception {
    EventStream stream = log.follow(Optional.empty());
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
    assertThat(names(read.get(20, TimeUnit.SECONDS))).containsExactly("a.service");
  }

  @Test
  void aReaderGoesOnWhereItStopped() throws InterruptedException {
    append("a.service");
    append("b.service");
    EventStream stream = log.follow(Optional.of(new EventId("epoch", 1)));
    assertThat(names(stream.next(LONG))).containsExactly("b.service");
  }

  @Test
  void aReaderThatFellBehindIsToldOfTheGap() throws InterruptedException {
    EventStream stream = log.follow(Optional.empty());
    for (int i = 0; i < 5; i++) {
      append("u" + i + ".service");
    }
    assertThat(stream.next(LONG)).extracting(Event::body).containsExactly(new Event.Gap());
    append("later.service");
    assertThat(names(stream.next(LONG))).containsExactly("later.service");
  }

  @Test
  void aPositionOfAnotherEpochIsAGap() throws InterruptedException {
    append("a.service");
    EventStream stream = log.follow(Optional.of(new EventId("older", 1)));
    assertThat(stream.next(LONG)).extracting(Event::body).containsExactly(new Event.Gap());
  }

  @Test
  void aPositionAheadOfTheLogIsAGap() throws InterruptedException {
    EventStream stream = log.follow(Optional.of(new EventId("epoch", 99)));
    assertThat(stream.next(LONG)).extracting(Event::body).containsExactly(new Event.Gap());
  }

  @Test
  void whenTheLogClosesReadersEnd() throws InterruptedException {
    EventStream stream = log.follow(Optional.empty());
    append("a.service");
    log.close();
    assertThat(names(stream.next(LONG))).containsExactly("a.service");
    assertThatThrownBy(() -> stream.next(LONG)).isInstanceOf(ClusterUnavailableException.class);
  }

  private void append(String unit) {
    log.append(1, List.of(new Event.UnitDestroyed(UnitName.of(unit))));
  }

  private static List<String> names(List<Event> events) {
    List<String> names = new ArrayList<>();
    for (Event event : events) {
      if (event.body() instanceof Event.UnitDestroyed destroyed) {
        names.add(destroyed.unit().value());
      }
    }
    return names;
  }
}
