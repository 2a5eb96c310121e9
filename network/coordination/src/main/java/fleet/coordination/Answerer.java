package fleet.coordination;

import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import java.util.function.Consumer;

/** Answers the questions to one machine. */
public interface Answerer {

  /** Begins an answer; the reader takes it at its own pace. */
  Answer answer(Question question);

  /**
   * Answers an offer soon, and again whenever the answer changes, until it is closed. Returns at
   * once.
   *
   * @param then gets each answer, on any thread; must not block
   */
  default PendingBid bid(Offer offer, Consumer<Bid> then) {
    then.accept(new Bid.Declined(offer.unit(), offer.id(), "it bids for nothing"));
    return () -> {};
  }
}
