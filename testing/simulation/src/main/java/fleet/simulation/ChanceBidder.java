package fleet.simulation;

import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.coordination.PendingBid;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** Bids sooner or later for whatever is offered, as the seed has it. */
final class ChanceBidder implements Answerer {

  private static final int LONGEST_THOUGHT_MILLIS = 300;
  private static final int LONGEST_REFUSAL_MILLIS = 4_000;
  private static final int MOST_BUSY = 10;

  private final EventLoop loop;
  private final Random random;

  /** Those that are not withdrawn, each by an object of its own. */
  private final Set<Object> open = new HashSet<>();

  ChanceBidder(EventLoop.Factory loops, Random random) {
    this.loop = loops.start("bids", () -> {});
    this.random = random;
  }

  @Override
  public Answer answer(Question question) {
    throw new IllegalStateException("nobody asks: " + question);
  }

  @Override
  public PendingBid bid(Offer offer, Consumer<Bid> then) {
    Object bidding = new Object();
    loop.post(() -> {
      open.add(bidding);
      boolean refuses = random.nextInt(3) == 0;
      if (refuses) {
        then.accept(new Bid.Declined(offer.unit(), offer.id(), "it has too much to do"));
      }
      int most = refuses ? LONGEST_REFUSAL_MILLIS : LONGEST_THOUGHT_MILLIS;
      int busy = random.nextInt(MOST_BUSY);
      loop.postAfter(
          Duration.ofMillis(random.nextInt(most)),
          () -> {
            if (open.contains(bidding)) {
              then.accept(new Bid.Made(offer.unit(), offer.id(), busy, "chance"));
            }
          });
    });
    return () -> loop.post(() -> open.remove(bidding));
  }
}
