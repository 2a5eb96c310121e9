package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.Demonstration;
import fleet.testkit.Hangs;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small cluster that a newcomer is shown: one server, and machines that join it. */
class DevUpMachinesTest {

  @Test
  void threeMachinesShowHowTheUnitsOfALostOneRunElsewhere(@TempDir Path directory)
      throws Exception {
    File told = directory.resolve("told").toFile();
    Process shown =
        new ProcessBuilder(command("3", "--once"))
            .redirectErrorStream(true)
            .redirectOutput(told)
            .start();
    try {
      assertThat(shown.waitFor(Hangs.AFTER.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      shown.destroy();
    }

    String output = Files.readString(told.toPath());
    assertThat(shown.exitValue()).as(output).isZero();
    assertThat(output)
        .contains("fleetctl token create", "join=10.")
        .containsPattern("cutting the power of .*, which runs fleet-example-")
        .containsPattern("s after: fleet-example-.* runs on ")
        .contains("every other unit has the process it had")
        .contains("runs nothing that runs elsewhere by now")
        .endsWith("stopped, and nothing is left\n");
  }

  private static List<String> command(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfleet.root=" + System.getProperty("fleet.root", "../.."),
                "-cp",
                System.getProperty("java.class.path"),
                Demonstration.class.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
