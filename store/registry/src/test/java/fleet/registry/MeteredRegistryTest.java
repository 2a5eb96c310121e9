package fleet.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.metric.Metric;
import fleet.core.testing.RecordedMetrics;
import fleet.registry.embedded.EmbeddedRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeteredRegistryTest {

  @TempDir Path directory;
  private final RecordedMetrics metrics = new RecordedMetrics();

  @ParameterizedTest
  @ValueSource(strings = {"get", "read", "commit"})
  void operationsAreTimed(String operation) {
    try (Registry registry = MeteredRegistry.of(EmbeddedRegistry.open(directory), metrics)) {
      Outcome _ = registry.commit(Transaction.when().put("a", "1").build());
      assertThat(registry.get("a")).isPresent();
      assertThat(registry.read("").entries()).hasSize(1);
      assertThat(metrics.has(Metric.FLEET_REGISTRY_OPERATION_SECONDS, operation)).isTrue();
      assertThat(metrics.has(Metric.FLEET_REGISTRY_OPERATION_FAILURES_TOTAL, operation)).isFalse();
    }
  }

  @Test
  void operationsThatFailAreCountedAsWell() {
    Registry registry = MeteredRegistry.of(EmbeddedRegistry.open(directory), metrics);
    registry.close();
    assertThatThrownBy(() -> registry.commit(Transaction.when().put("a", "1").build()))
        .isInstanceOf(RegistryException.class);
    assertThat(metrics.of(Metric.FLEET_REGISTRY_OPERATION_FAILURES_TOTAL, "commit")).isEqualTo(1);
    assertThat(metrics.has(Metric.FLEET_REGISTRY_OPERATION_SECONDS, "commit")).isTrue();
  }

  @Test
  void theSizeGrowsWithItsContent() {
    try (Registry registry = MeteredRegistry.of(EmbeddedRegistry.open(directory), metrics)) {
      long before = registry.size().orElseThrow();
      Outcome _ = registry.commit(Transaction.when().put("a", "x".repeat(100_000)).build());
      MeteredRegistry.tellSize(registry, metrics);
      assertThat((long) metrics.of(Metric.FLEET_REGISTRY_SIZE_BYTES))
          .isGreaterThan(before + 99_999);
    }
  }
}
