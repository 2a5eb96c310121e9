package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionTest {
  @Test
  void buildFillsItIn() {
    assertThat(FleetdVersion.current()).matches("\\d+\\.\\d+\\.\\d+");
  }
}
