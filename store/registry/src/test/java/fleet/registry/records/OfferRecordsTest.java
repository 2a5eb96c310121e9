package fleet.registry.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OfferRecordsTest {

  private static final UnitName WEB = UnitName.of("web@1.service");

  @Test
  void anOfferIsReadAsItWasWritten() {
    var file = new UnitFile(List.of(new UnitOption("Unit", "ConditionPathExists", "/srv")));
    var record =
        new OfferRecord(new Offer(WEB, "7-1", file, List.of("Memory=1G")), Set.of("m1", "m2"));
    OfferRecord read = OfferRecord.of(new Entry(Keys.offer(WEB), record.json(), 1, 1));
    assertThat(read).isEqualTo(record);
  }

  @Test
  void bidsAreReadAsTheyWereWritten() {
    for (Bid bid :
        List.of(
            new Bid.Made(WEB, "7-1", 40, "CPU pressure 3 %"),
            new Bid.Declined(WEB, "7-1", "it is busy"))) {
      var record = new BidRecord("m1", bid);
      assertThat(BidRecord.of(new Entry(Keys.bid(WEB, "m1"), record.json(), 1, 1)))
          .isEqualTo(record);
    }
  }

  @Test
  void whatIsNoneIsSaidWithItsKey() {
    assertThatThrownBy(() -> BidRecord.of(new Entry("bid/m1", "{\"format\":1}", 1, 1)))
        .isInstanceOf(RegistryException.class);
    assertThatThrownBy(() -> BidRecord.of(new Entry("bid", "{\"format\":1}", 1, 1)))
        .isInstanceOf(RegistryException.class);
    assertThatThrownBy(() ->
            BidRecord.of(
                new Entry(
                    Keys.bid(WEB, "m1"),
                    "{\"format\":1,\"offer\":\"1\",\"answer\":\"perhaps\"}",
                    1,
                    1)))
        .hasMessageContaining("field answer has the unknown value perhaps");
    assertThatThrownBy(() -> OfferRecord.of(new Entry(Keys.offer(WEB), "{}", 1, 1)))
        .isInstanceOf(RegistryException.class);
  }
}
