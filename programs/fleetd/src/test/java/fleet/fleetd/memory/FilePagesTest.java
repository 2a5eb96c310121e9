package fleet.fleetd.memory;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetd.memory.FilePages.Mapping;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePagesTest {

  @Test
  void onlyFilesThatAreReadAndHaveNoPageOfTheProcessItselfAreLetGo() {
    List<String> smaps =
        """
        800001000-801b89000 rw-p 00001000 08:01 41                 /opt/fleet/lib/fleetd.aot
        Rss:               28192 kB
        Anonymous:         27884 kB
        801b89000-803e6e000 r--p 01b89000 08:01 41                 /opt/fleet/lib/fleetd.aot
        Rss:               35732 kB
        Anonymous:             0 kB
        AnonHugePages:         0 kB
        7f0000000000-7f0000021000 r--p 00000000 00:00 0
        Rss:                 132 kB
        Anonymous:             0 kB
        7f1000000000-7f1000002000 r--p 00000000 08:01 42           /usr/lib/libc.so.6
        Rss:                   8 kB
        Anonymous:             8 kB
        7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0            [vdso]
        Rss:                   8 kB
        Anonymous:             0 kB
        """
            .lines()
            .toList();
    assertThat(FilePages.unwritten(smaps))
        .containsExactly(new Mapping(0x801b89000L, 0x803e6e000L - 0x801b89000L));
  }

  @Test
  void whatIsLetGoTakesNoMemoryAndIsThereAgainWhenItIsUsed(@TempDir Path directory)
      throws Exception {
    byte[] content = new byte[8 << 20];
    Arrays.fill(content, (byte) 7);
    Path file = Files.write(directory.resolve("mapped"), content);
    try (var channel = FileChannel.open(file)) {
      MappedByteBuffer mapped =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, content.length).load();
      assertThat(resident(file)).isEqualTo(content.length >> 10);

      FilePages.letGo();

      assertThat(resident(file)).isZero();
      assertThat(mapped.get(content.length / 2)).isEqualTo((byte) 7);
      assertThat(resident(file)).isPositive();
    }
  }

  /** How much of a file is in this process's memory, in KiB. */
  private static long resident(Path file) throws IOException {
    Matcher found =
        Pattern.compile(Pattern.quote(file.toString()) + "\n(?:.*\n)*?Rss: +(\\d+) kB")
            .matcher(Files.readString(Path.of("/proc/self/smaps")));
    assertThat(found.find()).isTrue();
    return Long.parseLong(found.group(1));
  }
}
