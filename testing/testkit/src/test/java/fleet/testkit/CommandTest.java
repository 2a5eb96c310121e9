package fleet.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandTest {

  @Test
  void oneThatDoesNotEndShowsItsOutputAndItsProcesses(@TempDir Path folder) throws Exception {
    Path pipe = folder.resolve("begun");
    Command.of("mkfifo", pipe.toString()).run().orThrow();
    var fault = new CompletableFuture<Throwable>();
    // More than a pipe holds: the beginning has been read once all of it is written.
    var hanging =
        Command.of(
            "sh",
            "-c",
            "{ echo first; head -c 200000 /dev/zero; };"
                + " { echo second; head -c 200000 /dev/zero; } >&2; sleep 7654 & echo >"
                + pipe
                + "; wait");
    Thread waiting =
        Thread.ofVirtual()
            .uncaughtExceptionHandler((_, e) -> fault.complete(e))
            .start(hanging::run);

    Command.of("cat", pipe.toString()).run().orThrow();
    waiting.interrupt();

    assertThat(fault.get())
        .hasMessageContainingAll("first", "second", "sleep 7654", "of CPU", "The host: load");
  }
}
