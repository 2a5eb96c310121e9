package fleet.systemd.dbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderTest {

  private static ByteBuffer message(int serial, int size) {
    return Marshaller.marshal(
        MethodCall.ofManager("test", "Member" + serial, "s", "x".repeat(size)), serial, true);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void cutsMessagesHoweverTheyArrive(long seed) throws IOException {
    Random random = new Random(seed);
    List<Integer> sizes = random.ints(300, 0, 2000).boxed().toList();
    int huge = 1_000_000;
    ByteBuffer all = ByteBuffer.allocate(4_000_000);
    for (int i = 0; i < sizes.size(); i++) {
      all.put(message(i, i == 150 ? huge : sizes.get(i)));
    }
    FrameReader frames = new FrameReader(new Pieces(all.flip(), random));

    for (int i = 0; i < sizes.size(); i++) {
      Frame frame = frames.next();
      assertThat(frame.member()).isEqualTo("Member" + i);
      assertThat(frame.path()).isEqualTo(MethodCall.MANAGER_PATH);
      assertThat(frame.body().string()).hasSize(i == 150 ? huge : sizes.get(i));
    }
    assertThat(frames.isReady()).isFalse();
    assertThatThrownBy(frames::next).isInstanceOf(EOFException.class);
  }

  @Test
  void refusesMessagesThatAreTooLarge() {
    ByteBuffer broken = message(1, 10);
    broken.putInt(4, Integer.MAX_VALUE);

    assertThatThrownBy(() -> new FrameReader(new Pieces(broken, new Random(1))).next())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bytes");
  }

  /** Hands out some bytes at a time, as a socket may. */
  private record Pieces(ByteBuffer all, Random random) implements ReadableByteChannel {

    @Override
    public int read(ByteBuffer into) {
      if (!all.hasRemaining()) {
        return -1;
      }
      int most = Math.min(into.remaining(), all.remaining());
      int count = Math.min(most, 1 + random.nextInt(5000));
      into.put(all.slice(all.position(), count));
      all.position(all.position() + count);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
