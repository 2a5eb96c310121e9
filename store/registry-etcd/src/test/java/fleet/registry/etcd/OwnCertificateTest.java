package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A certificate that an operator has to renew, as time passes. */
class OwnCertificateTest {

  private static final int DAYS = 60;

  private final List<String> warnings = new ArrayList<>();
  private final List<Optional<String>> changes = new ArrayList<>();
  private Instant now = Instant.now();
  private OpensslCertificates made;
  private OwnCertificate certificate;

  @BeforeEach
  void make(@TempDir Path directory) throws Exception {
    made = OpensslCertificates.make(directory);
    made.sign("own", DAYS);
    certificate = new OwnCertificate(Optional.of(made.file("own.pem")), () -> now, warnings::add);
    certificate.onChange(() -> changes.add(certificate.problem()));
  }

  private void pass(Duration time) {
    now = now.plus(time);
    certificate.look();
  }

  private void pass(int days) {
    pass(Duration.ofDays(days));
  }

  @Test
  void itIsToldAMonthBeforeTheEndAndOnceADay() {
    pass(DAYS - 31);
    assertThat(warnings).isEmpty();
    assertThat(changes).isEmpty();

    pass(2);
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst())
        .contains(made.file("own.pem") + ", ends at 2")
        .contains("\"fleetctl ca etcd\"");
    for (int i = 0; i < 23; i++) {
      pass(Duration.ofHours(1));
    }
    assertThat(warnings).hasSize(1);
    pass(Duration.ofHours(1));
    assertThat(warnings).hasSize(2).containsOnly(warnings.getFirst());
    assertThat(changes).as("the same problem").containsExactly(Optional.of(warnings.getFirst()));
  }

  @Test
  void oneThatHasEndedIsToldAtOnceAndCountsForNothing() {
    pass(DAYS - 1);
    assertThat(certificate.fault()).isEmpty();

    pass(Duration.ofHours(25));
    assertThat(warnings).hasSize(2);
    assertThat(warnings.getLast()).contains("own.pem, ended at 2");
    assertThat(certificate.fault()).contains(warnings.getLast());
  }

  @Test
  void oneThatIsReplacedIsToldNoMore() throws Exception {
    pass(DAYS - 1);
    made.sign("next", 2 * DAYS);
    Files.move(made.file("next.pem"), made.file("own.pem"), StandardCopyOption.REPLACE_EXISTING);

    pass(2);
    assertThat(warnings).hasSize(1);
    assertThat(changes).hasSize(2).endsWith(Optional.empty());
  }

  @Test
  void aClockThatIsFarBehindIsTold() {
    pass(-3);
    assertThat(certificate.fault().orElseThrow())
        .contains("is good only from 2")
        .endsWith("check the clock of this machine");
  }

  @Test
  void whoShowsNoneIsToldNothing() {
    var none = new OwnCertificate(Optional.empty(), () -> now, warnings::add);
    none.look();
    assertThat(none.problem()).isEmpty();
    assertThat(warnings).isEmpty();
  }
}
