package fleet.registry.records;

import fleet.core.offer.Bid;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;

/**
 * The value of {@code bid/<unit>/<machine>}: the machine's answer to an offer, on its lease.
 *
 * @param machine the id of the machine that bids
 */
public record BidRecord(String machine, Bid bid, UnknownFields unknown) {

  private static final String MADE = "made";
  private static final String DECLINED = "declined";

  public BidRecord(String machine, Bid bid) {
    this(machine, bid, UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws RegistryException if the key or the value is not one of these
   */
  public static BidRecord of(Entry entry) {
    String key = entry.key();
    int end = Math.max(key.lastIndexOf('/'), 0);
    UnitName unit = Keys.unitOf(key.substring(0, end));
    FieldReader fields = FieldReader.of(entry);
    String offer = fields.text("offer");
    String answer = fields.text("answer");
    Bid bid =
        switch (answer) {
          case MADE -> new Bid.Made(unit, offer, fields.count("busy"), fields.text("measured"));
          case DECLINED -> new Bid.Declined(unit, offer, fields.text("why"));
          default -> throw fields.wrong("answer", "has the unknown value " + answer);
        };
    return new BidRecord(key.substring(end + 1), bid, fields.rest());
  }

  public String json() {
    FieldWriter fields = new FieldWriter().put("offer", bid.offer());
    switch (bid) {
      case Bid.Made made ->
          fields.put("answer", MADE).put("busy", made.busy()).put("measured", made.measured());
      case Bid.Declined declined -> fields.put("answer", DECLINED).put("why", declined.why());
    }
    return fields.render(unknown);
  }
}
