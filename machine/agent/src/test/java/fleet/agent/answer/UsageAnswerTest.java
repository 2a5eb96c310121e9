package fleet.agent.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.agent.usage.UsageMeter;
import fleet.core.machine.Resources;
import fleet.core.question.Question.Usage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageAnswerTest {

  @TempDir Path root;

  /** Also the clock of the meter: how often it has measured. */
  private final AtomicLong measured = new AtomicLong();

  private UsageAnswer asked(Duration interval, int samples) {
    var place = new UsageMeter.Place(root, root, root, root, Resources.UNKNOWN);
    return new UsageAnswer(
        new UsageMeter(place, "", measured::incrementAndGet), new Usage(false, interval, samples));
  }

  private static BufferedReader lines(UsageAnswer answer) {
    return new BufferedReader(new InputStreamReader(answer.body(), UTF_8));
  }

  @Test
  void asManyLinesComeAsWereAskedFor() throws IOException {
    try (var answer = asked(Duration.ofMillis(1), 3)) {
      assertThat(lines(answer).lines()).hasSize(3).allMatch(line -> line.startsWith("{\"nanos\":"));
      assertThat(answer.exitStatus()).isZero();
    }
  }

  @Test
  void nothingIsMeasuredForAReaderWhoDoesNotRead() throws IOException {
    try (var answer = asked(Duration.ofMillis(1), Usage.ENDLESS)) {
      byte[] some = new byte[8];
      assertThat(answer.body().read(some)).isEqualTo(some.length);
      assertThat(answer.body().read(some)).isEqualTo(some.length);
      assertThat(measured).hasValue(1);
    }
  }

  @Test
  void closingEndsTheWaitForTheNextLine() throws Exception {
    var answer = asked(Duration.ofHours(1), Usage.ENDLESS);
    var lines = lines(answer);
    assertThat(lines.readLine()).isNotNull();
    try (var reading = Executors.newVirtualThreadPerTaskExecutor()) {
      var next = reading.submit(lines::readLine);
      answer.close();
      assertThatThrownBy(next::get).hasRootCauseInstanceOf(IOException.class);
    }
  }
}
