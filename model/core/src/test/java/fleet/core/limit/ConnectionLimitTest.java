package fleet.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {

  private static final SourceNetwork ONE = SourceNetwork.of(new byte[] {10, 0, 0, 1});
  private static final SourceNetwork ANOTHER = SourceNetwork.of(new byte[] {10, 0, 0, 2});

  private final ConnectionLimit<String> limit = new ConnectionLimit<>(3, 2);

  @Test
  void theOldestOfANetworkMakesRoomForItsNewest() {
    assertThat(limit.enter("first", ONE)).isEmpty();
    assertThat(limit.enter("other", ANOTHER)).isEmpty();
    assertThat(limit.enter("second", ONE)).isEmpty();

    assertThat(limit.enter("third", ONE)).contains("first");
    assertThat(limit.enter("fourth", ONE)).contains("second");
  }

  @Test
  void theOldestOfAllMakesRoomWhereThereAreTooManyOfManyNetworks() {
    limit.enter("first", ONE);
    limit.enter("second", ANOTHER);
    limit.enter("third", ANOTHER);

    assertThat(limit.enter("fourth", ONE)).contains("first");
  }

  @Test
  void whoHasLeftNeedsNoRoom() {
    limit.enter("first", ONE);
    limit.enter("second", ONE);
    limit.leave("first");
    limit.leave("first");

    assertThat(limit.enter("third", ONE)).isEmpty();
    assertThat(limit.enter("fourth", ONE)).contains("second");
  }

  @Test
  void addressesOfOneSubscriberAreOneNetwork() {
    assertThat(ONE).isNotEqualTo(ANOTHER);
    assertThat(v6("20010db8000100020000000000000001"))
        .isEqualTo(v6("20010db80001000200000000000000ff"))
        .isNotEqualTo(v6("20010db8000100030000000000000001"));
  }

  private static SourceNetwork v6(String hex) {
    return SourceNetwork.of(HexFormat.of().parseHex(hex));
  }
}
