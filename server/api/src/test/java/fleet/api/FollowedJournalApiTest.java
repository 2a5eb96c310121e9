package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.cluster.UnitView;
import fleet.core.question.Question.JournalEntries;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Journals that are followed while units and machines come and go. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class FollowedJournalApiTest extends JournalApiFixture {

  FollowedJournalApiTest(ApiUnderTest.Asked asked) {
    super(asked);
  }

  @Test
  void aFollowedJournalTellsWhatWasThereInOrderAndThenWhatIsNew() throws Exception {
    FakeAnswer first = answers("m1", entry(5, "web@1.service", "old") + "\n");
    FakeAnswer second = new FakeAnswer(0);
    of("m2").add(second);
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=web@*&follow=1", "");
      assertThat(wire.head().status()).isEqualTo(200);
      // It might have something older, and is waited for.
      second.say(entry(2, "web@2.service", "older") + "\n");
      assertThat(lines(wire, 2))
          .containsExactly(
              merged(2, "m2", "web@2.service", "older").strip(),
              merged(5, "m1", "web@1.service", "old").strip());
      // New entries that come within a moment of each other are put into order as well. A busy
      // machine may miss the moment.
      long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
      List<String> told;
      do {
        now += 2;
        first.say(entry(now + 1, "web@1.service", "later"));
        second.say(entry(now, "web@2.service", "sooner"));
        told = lines(wire, 2);
      } while (told.getFirst().contains("later"));
      assertThat(told)
          .containsExactly(
              merged(now, "m2", "web@2.service", "sooner").strip(),
              merged(now + 1, "m1", "web@1.service", "later").strip());
    }
    first.awaitClose();
    second.awaitClose();
  }

  @Test
  void unitsAreFollowedToWhereTheyGo() throws Exception {
    FakeAnswer first = answers("m1", "\n");
    answers("m2", "\n");
    answers("m3", entry(9, "web@1.service", "hello from here"));
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=web@*&follow=1", "");
      wire.head();
      UnitView moved = placed("web@1.service", Optional.of("m3"));
      api.cluster.add(moved);
      api.cluster.events.happen(Event.Body.of(moved));
      assertThat(lines(wire, 2))
          .containsExactly(
              "{\"FLEET_MACHINE\":\"m3\",\"FLEET_NOTICE\":\"has web@1.service now\"}",
              merged(9, "m3", "web@1.service", "hello from here").strip());
    }
    first.awaitClose();
    assertThat(asked)
        .anyMatch(question ->
            question.units().equals(List.of(WEB1))
                && question.since().isPresent()
                && question.lines() == JournalEntries.ALL);
  }

  @Test
  void whatAUnitThatMovesWroteLastIsRead() throws Exception {
    FakeAnswer followed = answers("m1", entry(5, "web@1.service", "old") + "\n");
    answers("m1", entry(6, "web@1.service", "last words")).end();
    answers("m3", "\n");
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=web@1.service&follow=1", "");
      wire.head();
      assertThat(lines(wire, 1)).hasSize(1);
      api.cluster.add(placed("web@1.service", Optional.of("m3")));
      api.cluster.events.happen(Event.Body.of(placed("web@1.service", Optional.of("m3"))));
      assertThat(lines(wire, 2))
          .containsExactly(
              "{\"FLEET_MACHINE\":\"m3\",\"FLEET_NOTICE\":\"has web@1.service now\"}",
              merged(6, "m1", "web@1.service", "last words").strip());
    }
    followed.awaitClose();
    assertThat(asked)
        .contains(
            new JournalEntries(
                List.of(WEB1), JournalEntries.ALL, Optional.empty(), "c=5", false, false));
  }

  @Test
  void aDestroyedUnitIsFollowedUntilItsMachineHasItNoMore() throws Exception {
    api.cluster.add(FakeUnits.state("web@1.service", "m1"));
    FakeAnswer followed = answers("m1", "\n");
    answers("m1", entry(7, "web@1.service", "last words")).end();
    answers("m2", "\n");
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=web@1.service&follow=1", "");
      wire.head();
      api.cluster.units.remove(WEB1);
      api.cluster.events.happen(new Event.Body(Kind.UNIT_DESTROYED, Subject.of(WEB1), Cause.NONE));
      // By what is asked next it is seen that all of that has been taken in.
      UnitView other = placed("web@1.service", Optional.of("m2"));
      api.cluster.add(other);
      api.cluster.events.happen(Event.Body.of(other));
      assertThat(lines(wire, 1))
          .containsExactly("{\"FLEET_MACHINE\":\"m2\",\"FLEET_NOTICE\":\"has web@1.service now\"}");
      followed.say(entry(6, "web@1.service", "stopping"));
      assertThat(lines(wire, 1))
          .containsExactly(merged(6, "m1", "web@1.service", "stopping").strip());
      api.cluster.removeState(WEB1, "m1");
      api.cluster.events.happen(
          new Event.Body(Kind.STATE_GONE, Subject.of(WEB1, "m1"), Cause.NONE));
      assertThat(lines(wire, 1))
          .containsExactly(merged(7, "m1", "web@1.service", "last words").strip());
    }
  }

  @Test
  void whatIsMissingAtTheEndOfALostMachineIsTold() throws Exception {
    FakeAnswer followed = answers("m1", entry(5, "web@1.service", "old") + "\n");
    answers("m3", "\n");
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=web@1.service&follow=1", "");
      wire.head();
      assertThat(lines(wire, 1)).hasSize(1);
      followed.end();
      assertThat(lines(wire, 1)).hasSize(1);
      api.cluster.add(placed("web@1.service", Optional.of("m3")));
      api.cluster.events.happen(Event.Body.of(placed("web@1.service", Optional.of("m3"))));
      assertThat(lines(wire, 2))
          .containsExactly(
              "{\"FLEET_MACHINE\":\"m3\",\"FLEET_NOTICE\":\"has web@1.service now\"}",
              "{\"FLEET_MACHINE\":\"m1\",\"FLEET_NOTICE\":\"it is not there, or cannot be reached;"
                  + " what its units wrote last may be missing here\"}");
    }
  }

  private static String cursor(long number) {
    return "s=a;i=%x;b=b;m=1;t=%x;x=f".formatted(number, number);
  }

  private static String numbered(long number, String unit, String message) {
    return entry(number, unit, message).replace("c=" + number, cursor(number));
  }

  @Test
  void aUnitThatComesToAMachineThatIsReadIsReadFromItsFirstLineAndNothingTwice() throws Exception {
    UnitName newUnit = UnitName.of("web@3.service");
    FakeAnswer followed = answers("m1", numbered(5, "web@1.service", "old") + "\n");
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=web@*&machine=m1&follow=1", "");
      wire.head();
      assertThat(lines(wire, 1)).hasSize(1);
      asked.clear();
      api.cluster.answers =
          (_, question) -> {
            asked.add((JournalEntries) question);
            FakeAnswer answer = new FakeAnswer(0);
            if (((JournalEntries) question).follow()) {
              answer.say("\n" + numbered(6, "web@3.service", "second"));
              answer.say(numbered(7, "web@1.service", "on"));
            } else {
              // Its first came before the other's that was read last.
              answer.say(numbered(4, "web@3.service", "first"));
              answer.say(numbered(6, "web@3.service", "second"));
              answer.end();
            }
            return Optional.of(answer);
          };
      UnitView comes = placed("web@3.service", Optional.of("m1"));
      api.cluster.add(comes);
      api.cluster.events.happen(Event.Body.of(comes));
      assertThat(lines(wire, 3).stream().map(line -> line + "\n"))
          .containsExactly(
              "{\"FLEET_MACHINE\":\"m1\",\"FLEET_UNIT\":\"web@3.service\","
                  + numbered(4, "web@3.service", "first").substring(1),
              "{\"FLEET_MACHINE\":\"m1\",\"FLEET_UNIT\":\"web@3.service\","
                  + numbered(6, "web@3.service", "second").substring(1),
              "{\"FLEET_MACHINE\":\"m1\",\"FLEET_UNIT\":\"web@1.service\","
                  + numbered(7, "web@1.service", "on").substring(1));
    }
    followed.awaitClose();
    assertThat(asked)
        .hasSize(2)
        .anySatisfy(question -> {
          assertThat(question.units()).containsExactlyInAnyOrder(WEB1, newUnit);
          assertThat(question.after()).isEqualTo(cursor(5));
          assertThat(question.follow()).isTrue();
        })
        .anySatisfy(question -> {
          assertThat(question.units()).containsExactly(newUnit);
          assertThat(question.since()).isPresent();
          assertThat(question.follow()).isFalse();
        });
  }

  @Test
  void aMachineThatGoesAndComesBackGoesOnWhereItWasLeft() throws Exception {
    answers("m1", entry(5, "web@1.service", "old") + "\n");
    answers("m1", "").end();
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=web@1.service&follow=1", "");
      wire.head();
      assertThat(lines(wire, 1)).containsExactly(merged(5, "m1", "web@1.service", "old").strip());
      UnitView away = placed("web@1.service", Optional.of("m3"));
      answers("m3", entry(6, "web@1.service", "elsewhere"));
      api.cluster.add(away);
      api.cluster.events.happen(Event.Body.of(away));
      assertThat(lines(wire, 2)).hasSize(2);
      asked.clear();
      UnitView back = placed("web@1.service", Optional.of("m1"));
      api.cluster.add(back);
      api.cluster.events.happen(Event.Body.of(back));
      JournalEntries question = asked.take();
      while (!question.follow()) {
        question = asked.take();
      }
      assertThat(question)
          .isEqualTo(
              new JournalEntries(
                  List.of(WEB1), JournalEntries.ALL, Optional.empty(), "c=5", true, false));
    }
  }

  @Test
  void aUnitThatIsNowhereYetIsWaitedForWhereItIsFollowed() throws Exception {
    api.cluster.add(placed("waiting.service", Optional.empty()));
    answers("m1", entry(9, "waiting.service", "here"));
    try (RawConnection wire = api.connect()) {
      wire.ask("GET", JOURNAL + "?unit=waiting.service&follow=1", "");
      wire.head();
      assertThat(lines(wire, 1))
          .containsExactly("{\"FLEET_NOTICE\":\"waiting.service is on no machine\"}");
      UnitView here = placed("waiting.service", Optional.of("m1"));
      api.cluster.add(here);
      api.cluster.events.happen(Event.Body.of(here));
      assertThat(lines(wire, 2)).last().asString().contains("\"MESSAGE\":\"here\"");
    }
  }
}
