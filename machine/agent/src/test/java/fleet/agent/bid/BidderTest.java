package fleet.agent.bid;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.PlayedTime;
import fleet.core.machine.Resources;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against files as kernels have them; a real machine's are in the tests on machines. */
class BidderTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final long KIB = 1 << 10;

  @TempDir Path root;
  private final PlayedTime time = new PlayedTime(0);
  private Bidder bidder;
  private final Queue<Bid> bids = new ArrayDeque<>();

  @BeforeEach
  void machine() throws IOException {
    write("proc/meminfo", "MemTotal: 8000 kB\nMemAvailable:   6000 kB\n");
    pressure("cpu", "3.00");
    pressure("memory", "0.00");
    bidder =
        new Bidder(
            time::start,
            new LoadMeter(root, root.resolve("not-there")),
            new Conditions(false),
            new Resources(2000, 8000 * KIB, 1L << 40),
            Resources.UNKNOWN);
  }

  @AfterEach
  void close() {
    bidder.close();
  }

  private void pressure(String of, String percent) throws IOException {
    write(
        "proc/pressure/" + of,
        "some avg10=" + percent + " avg60=99.00 avg300=99.00 total=4\nfull avg10=77.00\n");
  }

  private void write(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private static Offer offer(String text, String... require) throws UnitFileSyntaxException {
    return new Offer(WEB, "1", UnitFile.parse(text), List.of(require));
  }

  /** The next bid, which is made by now. */
  private Bid next() {
    return bids.remove();
  }

  /** The machine looks again. */
  private void lookAgain() {
    assertThat(bids).isEmpty();
    time.pass(Bidder.FIRST_PAUSE);
  }

  @Test
  void howBusyTheMachineIsIsMeasured() throws Exception {
    try (var _ = bidder.bid(offer("[Service]\n"), bids::add)) {
      assertThat(next())
          .isEqualTo(
              new Bid.Made(
                  WEB,
                  "1",
                  16,
                  "CPU pressure 3 %, memory pressure 0 %, 25 % of memory and 0 % of disk in use"));
    }
  }

  @Test
  void whoBecomesMuchBusierSaysSo() throws Exception {
    try (var _ = bidder.bid(offer("[Service]\n"), bids::add)) {
      assertThat(next()).isInstanceOf(Bid.Made.class);
      pressure("cpu", "50.00");
      lookAgain();
      assertThat(next())
          .isInstanceOfSatisfying(Bid.Made.class, bid -> assertThat(bid.busy()).isEqualTo(63));
    }
  }

  @Test
  void whereTheKernelTellsNoPressureTheRestCounts() throws Exception {
    Files.delete(root.resolve("proc/pressure/cpu"));
    Files.delete(root.resolve("proc/pressure/memory"));
    try (var _ = bidder.bid(offer("[Service]\n"), bids::add)) {
      assertThat(next())
          .isEqualTo(new Bid.Made(WEB, "1", 13, "25 % of memory and 0 % of disk in use"));
    }
  }

  @Test
  void whoDeclinesForLackOfMemoryBidsOnceThereIsEnough() throws Exception {
    try (var _ = bidder.bid(offer("[Service]\n", "Memory=7000K"), bids::add)) {
      assertThat(next())
          .isEqualTo(
              new Bid.Declined(
                  WEB, "1", "it has 5.86M of memory available, of 6.84M that are asked"));
      write("proc/meminfo", "MemTotal: 8000 kB\nMemAvailable:   7500 kB\n");
      lookAgain();
      assertThat(next()).isInstanceOf(Bid.Made.class);
    }
  }

  @Test
  void whoIsShortOfMemoryTakesNothing() throws Exception {
    pressure("memory", "40.20");
    try (var _ = bidder.bid(offer("[Service]\n"), bids::add)) {
      assertThat(next()).isEqualTo(new Bid.Declined(WEB, "1", "its memory pressure is 40 %"));
      pressure("memory", "41.00");
      lookAgain();
      pressure("memory", "2.00");
      time.pass(Bidder.LONGEST_PAUSE);
      assertThat(next()).isInstanceOf(Bid.Made.class);
    }
  }

  @Test
  void conditionsAreJudgedAgainUntilTheyHold() throws Exception {
    Path awaited = root.resolve("awaited");
    String condition = "ConditionPathExists=" + awaited;
    try (var _ = bidder.bid(offer("[Unit]\n" + condition + "\n"), bids::add)) {
      assertThat(next()).isEqualTo(new Bid.Declined(WEB, "1", condition + " is not met"));
      var _ = Files.createFile(awaited);
      lookAgain();
      assertThat(next()).isInstanceOf(Bid.Made.class);
    }
    assertThat(bids).isEmpty();
  }

  @Test
  void manyOffersAreAnsweredEach() throws Exception {
    for (int i = 0; i < 100; i++) {
      var offer =
          new Offer(UnitName.of("u" + i + ".service"), "1", new UnitFile(List.of()), List.of());
      var _ = bidder.bid(offer, bids::add);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(next()).isInstanceOf(Bid.Made.class);
    }
    assertThat(bids).isEmpty();
  }
}
