package fleet.rpc.message;

import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import java.util.Optional;

/** Offers and bids, as messages. */
public final class OfferMessages {

  private OfferMessages() {}

  public static fleet.rpc.v1.Offer message(Offer offer) {
    return fleet.rpc.v1.Offer.newBuilder()
        .setUnit(offer.unit().value())
        .setId(offer.id())
        .setFile(offer.file().render())
        .addAllRequire(offer.require())
        .build();
  }

  /**
   * The offer in a message.
   *
   * @throws MalformedMessageException if it is no unit
   */
  public static Offer offer(fleet.rpc.v1.Offer message) throws MalformedMessageException {
    try {
      return new Offer(
          UnitNames.of(message.getUnit()),
          message.getId(),
          UnitFile.parse(message.getFile()),
          message.getRequireList());
    } catch (UnitFileSyntaxException e) {
      throw new MalformedMessageException(
          "the file of " + message.getUnit() + ", which is offered: " + e.getMessage());
    }
  }

  public static fleet.rpc.v1.Bid message(Bid bid) {
    var message = fleet.rpc.v1.Bid.newBuilder().setUnit(bid.unit().value()).setOffer(bid.offer());
    switch (bid) {
      case Bid.Made made ->
          message.setMade(
              fleet.rpc.v1.Bid.Made.newBuilder().setBusy(made.busy()).setMeasured(made.measured()));
      case Bid.Declined declined -> message.setDeclined(declined.why());
    }
    return message.build();
  }

  /**
   * The answer in a message; empty if only a later version knows it.
   *
   * @throws MalformedMessageException if it is no answer to the offer of a unit
   */
  public static Optional<Bid> bid(fleet.rpc.v1.Bid message) throws MalformedMessageException {
    var unit = UnitNames.of(message.getUnit());
    return switch (message.getAnswerCase()) {
      case MADE -> {
        int busy = message.getMade().getBusy();
        if (busy < 0) {
          throw new MalformedMessageException("a bid for " + unit + " is out of bounds");
        }
        yield Optional.of(
            new Bid.Made(unit, message.getOffer(), busy, message.getMade().getMeasured()));
      }
      case DECLINED ->
          Optional.of(new Bid.Declined(unit, message.getOffer(), message.getDeclined()));
      case ANSWER_NOT_SET -> Optional.empty();
    };
  }
}
