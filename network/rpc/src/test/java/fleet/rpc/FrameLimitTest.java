package fleet.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameLimitTest {

  private static final byte[] PREFACE = new byte[24];
  private static final int MOST_BYTES = 64 << 10;

  private final AtomicInteger exceeded = new AtomicInteger();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(new FrameLimit(exceeded::incrementAndGet));

  @AfterEach
  void end() {
    channel.finishAndReleaseAll();
  }

  private static ByteBuf frames(int count, int length) {
    ByteBuf frames = Unpooled.buffer();
    for (int i = 0; i < count; i++) {
      frames.writeMedium(length).writeZero(6 + length);
    }
    return frames;
  }

  private void comes(ByteBuf bytes) {
    channel.writeInbound(bytes);
  }

  private int passedOn() {
    int bytes = 0;
    for (ByteBuf some = channel.readInbound(); some != null; some = channel.readInbound()) {
      bytes += some.readableBytes();
      some.release();
    }
    return bytes;
  }

  @Test
  void asManyFramesAsMayComePass() {
    comes(Unpooled.copiedBuffer(PREFACE));
    comes(frames(FrameLimit.MOST_FRAMES, 5));

    assertThat(exceeded).hasValue(0);
    assertThat(passedOn()).isEqualTo(PREFACE.length + FrameLimit.MOST_FRAMES * (9 + 5));
  }

  @Test
  void ofThatWhichHasOneFrameTooManyNothingPassesNorDoesAnythingAfterIt() {
    comes(Unpooled.wrappedBuffer(PREFACE.clone()));
    assertThat(passedOn()).isEqualTo(PREFACE.length);
    comes(frames(FrameLimit.MOST_FRAMES + 1, 0));
    comes(frames(1, 0));

    assertThat(exceeded).hasValue(2);
    assertThat(passedOn()).isZero();
  }

  /** Where one frame ends and the next begins does not depend on how they come. */
  @Test
  void framesAreCountedHoweverTheyAreCut() {
    ByteBuf all = Unpooled.wrappedBuffer(Unpooled.copiedBuffer(PREFACE), frames(49, 3));
    int before = all.readableBytes() - 3 - 9;
    while (all.isReadable()) {
      comes(all.readRetainedSlice(1));
    }
    all.release();

    assertThat(passedOn()).isEqualTo(before + 8);
    assertThat(exceeded).hasValueGreaterThan(0);
  }

  @Test
  void moreBytesThanMayComeDoNotPass() {
    comes(Unpooled.copiedBuffer(PREFACE));
    comes(frames(1, MOST_BYTES));

    assertThat(exceeded).hasValue(1);
    assertThat(passedOn()).isEqualTo(PREFACE.length);
  }
}
