package fleet.registry.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.CompactedException;
import fleet.registry.Delta;
import fleet.registry.Recorder;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes kept for watches are bounded, in number and in size. */
class ChangeLogTest {

  @TempDir Path directory;

  private static long commit(EmbeddedRegistry registry, String value) {
    return registry.commit(Transaction.when().put("a", value).build()).revision();
  }

  @Test
  void changesBeyondTheNumberKeptAreForgotten() {
    var options = new EmbeddedRegistry.Options(3, 1 << 20);
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory, options)) {
      for (int i = 1; i <= 5; i++) {
        assertThat(commit(registry, "")).isEqualTo(i);
      }
      Recorder recorder = new Recorder();
      try (Watch _ = registry.watch("", at(2), recorder)) {
        assertThat(recorder.until(5)).extracting(Delta::revision).containsExactly(3L, 4L, 5L);
      }
      assertThatThrownBy(() -> registry.watch("", at(1), recorder))
          .isInstanceOf(CompactedException.class)
          .hasMessage("changes after revision 1 are gone; the oldest kept is 3");
    }
  }

  @Test
  void changesBeyondTheSizeKeptAreForgottenButForTheNewest() {
    var options = new EmbeddedRegistry.Options(100, 10_000);
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory, options)) {
      commit(registry, "");
      long large = commit(registry, "x".repeat(20_000));
      Recorder recorder = new Recorder();
      try (Watch _ = registry.watch("", at(large - 1), recorder)) {
        assertThat(recorder.next().revision()).isEqualTo(large);
      }
      assertThatThrownBy(() -> registry.watch("", at(0), recorder))
          .isInstanceOf(CompactedException.class);
    }
  }

  @Test
  void aWatcherThatFallsTooFarBehindIsToldSoAndHoldsUpNobody() {
    var options = new EmbeddedRegistry.Options(3, 1 << 20);
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory, options)) {
      CompletableFuture<Void> goOn = new CompletableFuture<>();
      Recorder recorder =
          new Recorder() {
            @Override
            public void changed(Delta delta) {
              super.changed(delta);
              goOn.join();
            }
          };
      try (Watch _ = registry.watch("", at(0), recorder)) {
        commit(registry, "");
        assertThat(recorder.next().revision()).isEqualTo(1);
        for (int i = 0; i < 10; i++) {
          commit(registry, "");
        }
        goOn.complete(null);
        assertThat(recorder.failure()).isInstanceOf(CompactedException.class);
        recorder.assertNothingMore();
      }
    }
  }

  @Test
  void anotherStartForgetsTheChangesBeforeIt() {
    long before;
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory)) {
      commit(registry, "1");
      before = commit(registry, "2");
    }
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory)) {
      Recorder recorder = new Recorder();
      assertThatThrownBy(() -> registry.watch("", at(before - 1), recorder))
          .isInstanceOf(CompactedException.class);
      try (Watch _ = registry.watch("", at(before), recorder)) {
        long next = commit(registry, "3");
        assertThat(recorder.next().revision()).isEqualTo(next);
      }
    }
  }

  private static Snapshot at(long revision) {
    return new Snapshot(revision, List.of());
  }
}
