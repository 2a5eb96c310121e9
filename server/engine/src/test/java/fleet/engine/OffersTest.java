package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.Intent;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.machine.Isolation;
import fleet.core.offer.Bid;
import fleet.core.operation.OperationId;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.records.BidRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.OfferRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Units that machines bid for. */
class OffersTest {

  private static final Caller CALLER = new Caller("user a");
  private static final UnitName WEB = UnitName.of("web.service");
  private static final String BY_BID =
      "[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\nStrategy=bid\n";
  private static final EngineSettings SETTINGS = EngineSettings.of(Duration.ofHours(1));

  @TempDir Path directory;
  private LedCluster led;

  @BeforeEach
  void open() {
    led = new LedCluster(directory, SETTINGS);
    // Only bids decide, and never that time is over.
    set("scheduler.bid.seconds", "600");
  }

  @AfterEach
  void close() {
    led.close();
  }

  private void set(String name, String value) {
    assertThat(led.cluster().set(name, value, CALLER)).isEmpty();
  }

  private OfferRecord awaitOffer(Predicate<OfferRecord> condition) throws Exception {
    Map<String, Entry> entries =
        led.store.await(
            "an offer",
            all ->
                Optional.ofNullable(all.get(Keys.offer(WEB)))
                    .filter(entry -> condition.test(OfferRecord.of(entry)))
                    .isPresent());
    return OfferRecord.of(Objects.requireNonNull(entries.get(Keys.offer(WEB))));
  }

  private OfferRecord awaitOfferTo(String... machines) throws Exception {
    return awaitOffer(offer -> offer.machines().containsAll(List.of(machines)));
  }

  private void bid(String machine, OfferRecord offer, int busy) {
    put(machine, new Bid.Made(WEB, offer.offer().id(), busy, "measured on " + machine));
  }

  private void decline(String machine, OfferRecord offer, String why) {
    put(machine, new Bid.Declined(WEB, offer.offer().id(), why));
  }

  private void put(String machine, Bid bid) {
    var _ =
        led.registry.commit(
            Transaction.when()
                .put(Keys.bid(WEB, machine), new BidRecord(machine, bid).json())
                .build());
  }

  private UnitView awaitPlace(String machine) throws Exception {
    return led.awaitView(WEB, view -> view.machine().equals(Optional.of(machine)));
  }

  @Test
  void theBestOfTheFirstBidsGetsTheUnitAndTheOfferIsWithdrawn() throws Exception {
    for (String id : List.of("m1", "m2", "m3", "m4")) {
      var _ = led.stored(id);
    }
    set("scheduler.bid.count", "2");
    led.launch(WEB, BY_BID);
    OfferRecord offer = awaitOfferTo("m1", "m2", "m3", "m4");
    assertThat(offer.offer().file()).isEqualTo(UnitFile.parse(BY_BID));
    bid("m3", offer, 40);
    decline("m4", offer, "its memory pressure is 60 %");
    bid("m2", offer, 20);

    UnitView placed = awaitPlace("m2");
    assertThat(placed.reason())
        .isEqualTo("best bid of the machines that fit: 20 (measured on m2), no unit on it");
    var _ = led.store.await("withdrawn", all -> !all.containsKey(Keys.offer(WEB)));
    assertThat(led.cluster().why(WEB).orElseThrow().toString())
        .contains("bids 40 (measured on m3)", "its memory pressure is 60 %", "has not bid");
  }

  @Test
  void fewerBidsDecideOnceAllHaveAnswered() throws Exception {
    var _ = led.stored("m1");
    var _ = led.stored("m2");
    led.launch(WEB, BY_BID);
    OfferRecord offer = awaitOfferTo("m1", "m2");
    decline("m1", offer, "ConditionPathExists=/srv/data is not met");
    bid("m2", offer, 90);
    var _ = awaitPlace("m2");
  }

  @Test
  void fewerBidsDecideOnceTimeIsOver() throws Exception {
    var _ = led.stored("m1");
    var _ = led.stored("m2");
    set("scheduler.bid.seconds", "0.2");
    led.launch(WEB, BY_BID);
    OfferRecord offer = awaitOfferTo("m1", "m2");
    bid("m1", offer, 90);
    var _ = awaitPlace("m1");
  }

  @Test
  void whoAnswersTooLateIsSaidToAndMayStillBid() throws Exception {
    var _ = led.stored("m1");
    set("scheduler.bid.seconds", "0.1");
    led.launch(WEB, BY_BID);
    OfferRecord offer = awaitOfferTo("m1");
    var _ =
        led.awaitView(
            WEB,
            view ->
                view.waiting().equals("the only machine declines: it has not answered in time"));
    bid("m1", offer, 3);
    var _ = awaitPlace("m1");
  }

  @Test
  void whoDeclinedMayBidLaterAndUntilThenItIsSaidWhyTheUnitWaits() throws Exception {
    var _ = led.stored("m1");
    var _ = led.stored("m2");
    led.launch(WEB, BY_BID);
    var _ = led.awaitView(WEB, view -> view.waiting().equals("all 2 machines have not bid yet"));
    OfferRecord offer = awaitOfferTo("m1", "m2");
    decline("m1", offer, "ConditionPathExists=/srv/data is not met");
    decline("m2", offer, "ConditionPathExists=/srv/data is not met");
    var _ =
        led.awaitView(
            WEB,
            view ->
                view.waiting()
                    .equals("all 2 machines decline: ConditionPathExists=/srv/data is not met"));
    assertThat(led.registry.get(Keys.offer(WEB))).isPresent();
    bid("m1", offer, 10);
    var _ = awaitPlace("m1");
  }

  @Test
  void othersAreAskedWhereTheFirstDecline() throws Exception {
    for (String id : List.of("m1", "m2", "m3")) {
      var _ = led.stored(id);
    }
    set("scheduler.bid.machines", "1");
    led.launch(WEB, BY_BID);
    OfferRecord offer = awaitOfferTo("m1");
    assertThat(offer.machines()).containsExactly("m1");
    decline("m1", offer, "it is busy");
    offer = awaitOfferTo("m1", "m2");
    assertThat(offer.machines()).containsExactly("m1", "m2");
    decline("m2", offer, "it is busy");
    bid("m3", awaitOfferTo("m3"), 5);
    var _ = awaitPlace("m3");
  }

  @Test
  void onlyMachinesThatWouldDoAreAsked() throws Exception {
    led.stored("m1").present(Map.of("disk", "ssd"), Isolation.KEEP);
    var _ = led.stored("m2");
    led.launch(WEB, BY_BID + "MachineMetadata=disk=ssd\n");
    OfferRecord offer = awaitOfferTo("m1");
    assertThat(offer.machines()).containsExactly("m1");
    bid("m2", offer, 0);
    bid("m1", offer, 70);
    var _ = awaitPlace("m1");
  }

  @Test
  void aMachineThatComesLaterIsAskedAsWell() throws Exception {
    var _ = led.stored("m1");
    led.launch(WEB, BY_BID);
    decline("m1", awaitOfferTo("m1"), "it is busy");
    var _ = led.awaitView(WEB, view -> view.waiting().contains("declines: it is busy"));
    var _ = led.stored("m2");
    bid("m2", awaitOfferTo("m2"), 5);
    var _ = awaitPlace("m2");
  }

  @Test
  void nobodyWaitsForAMachineThatHasGone() throws Exception {
    var _ = led.stored("m1");
    var _ = led.stored("m2");
    led.launch(WEB, BY_BID);
    bid("m1", awaitOfferTo("m1", "m2"), 5);
    led.silent("m2");
    var _ = awaitPlace("m1");
  }

  @Test
  void whereItsMachineIsLostAUnitIsOfferedAgainAndOldBidsDoNotCount() throws Exception {
    StoredMachine m1 = led.stored("m1");
    var _ = led.stored("m2");
    led.launch(WEB, BY_BID);
    OfferRecord offer = awaitOfferTo("m1", "m2");
    bid("m1", offer, 5);
    bid("m2", offer, 6);
    m1.running(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    led.silent("m1");
    OfferRecord again = awaitOffer(next -> !next.offer().id().equals(offer.offer().id()));
    assertThat(again.machines()).containsExactly("m2");
    assertThat(led.registry.get(Keys.schedule("m2", WEB))).isEmpty();
    bid("m2", again, 50);
    var _ = awaitPlace("m2");
  }

  @Test
  void aMachineThatIsDrainedKeepsTheUnitUntilAnotherBids() throws Exception {
    StoredMachine m1 = led.stored("m1");
    led.launch(WEB, BY_BID);
    bid("m1", awaitOfferTo("m1"), 5);
    m1.running(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    StoredMachine m2 = led.stored("m2");
    assertThat(led.cluster().drain("m1", 1, CALLER)).isTrue();
    OfferRecord offer = awaitOfferTo("m2");
    assertThat(led.cluster().operation(OperationId.drain("m1")).orElseThrow().steps().toString())
        .contains("WAITS", "1 has not bid yet");
    bid("m2", offer, 5);
    m1.gone(m1.awaitTarget(WEB, TargetState.STOPPING));
    var _ = m2.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void theNextLeaderWithdrawsWhatWasOfferedAndOffersAgain() throws Exception {
    offersAnewOnce(() -> led.anotherLeads(SETTINGS));
  }

  @Test
  void soDoesALeaderThatIsBackInItsOwnTerm() throws Exception {
    offersAnewOnce(() -> led.sameLeadsAgain(SETTINGS));
  }

  private void offersAnewOnce(Runnable somebodyLeads) throws Exception {
    var _ = led.stored("m1");
    led.launch(WEB, BY_BID);
    OfferRecord before = awaitOfferTo("m1");
    led.leaderDies();
    bid("m1", before, 5);
    somebodyLeads.run();
    OfferRecord now = awaitOffer(next -> !next.offer().id().equals(before.offer().id()));
    bid("m1", now, 7);
    var _ = awaitPlace("m1");
  }

  @Test
  void aUnitThatIsDestroyedIsNotOfferedAnyMore() throws Exception {
    var _ = led.stored("m1");
    led.launch(WEB, BY_BID);
    var _ = awaitOfferTo("m1");
    assertThat(led.cluster().destroy(WEB, CALLER)).isTrue();
    var _ = led.store.await("withdrawn", all -> !all.containsKey(Keys.offer(WEB)));
  }

  @Test
  void whoSpeaksToTheLeaderIsOfferedWithoutTheStore() throws Exception {
    try (ScriptedAgent m1 = led.direct("m1")) {
      led.launch(WEB, BY_BID);
      // It bids for nothing, as agents do that know nothing of bids.
      var _ = led.awaitView(WEB, view -> view.waiting().contains("declines: it bids for nothing"));
      assertThat(m1.scheduled()).isZero();
      assertThat(led.registry.get(Keys.offer(WEB))).isEmpty();
    }
  }

  @Test
  void whoFollowsSaysWhatMachinesAnsweredToo() throws Exception {
    var _ = led.stored("m1");
    led.launch(WEB, BY_BID);
    decline("m1", awaitOfferTo("m1"), "it is busy");
    try (CurrentCluster follower = led.follower()) {
      var _ =
          LedCluster.awaitView(
              follower, WEB, view -> view.waiting().contains("declines: it is busy"));
    }
  }

  @Test
  void aPlanAsksNobody() {
    var _ = led.stored("m1");
    var put =
        new UnitPut(
            WEB,
            Optional.of(
                new UnitFile(
                    List.of(new fleet.core.unit.UnitOption("X-Fleet", "Strategy", "bid")))),
            Optional.of(DesiredState.LAUNCHED),
            List.of());
    assertThat(led.cluster().plan(new Intent.Put(List.of(put))).changes().toString())
        .contains("m1", "one of the machines that fit, whichever bids best");
    assertThat(led.registry.get(Keys.offer(WEB))).isEmpty();
  }

  @Test
  void settingsOfBidsSayWhatTheyMayBe() {
    assertThat(led.cluster().set("scheduler.bid.count", "0", CALLER).orElseThrow())
        .contains("expected a whole number from 1 to 100");
    assertThat(led.cluster().set("scheduler.bid.seconds", "0", CALLER).orElseThrow())
        .contains("expected a number of seconds above 0");
    assertThat(led.cluster().set("scheduler.bid.machines", "x", CALLER).orElseThrow())
        .contains("expected a whole number");
  }
}
